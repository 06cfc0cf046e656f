"""Families of random graphs: each function draws one graph with a GraphBuilder.

layers           pieces of networks that several families share
products         MatMul, Gemm, Einsum, feed-forward blocks, joined products of few rows
convolutions     Conv in 1, 2 and 3 dimensions, ConvTranspose, chains of 3x3, pooling
networks         blocks of convolutional networks
attention        the Attention operator, and attention written out; encoder and decoder blocks
normalizations   norms, Softmax and its variants, reductions
elementwise      chains with broadcasts, integers, other types
movement         transposes, slices, pads, concats; gathers, scatters, sorting
recurrent        LSTM, GRU, RNN, Scan and Loop, If
sampling         Resize, GridSample, RoiAlign, DeformConv
quantized        integer products and convolutions, quantized weights
mixed            random DAGs of 12 to 40 nodes of all kinds
"""
