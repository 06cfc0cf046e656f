# One model as a static program, without an operating system: `tw compile model.onnx --embed
# -o model` writes it, with its weights. Build in its folder:
#   docker build -f scratch.Dockerfile -t model .
#   docker run --rm -v "$PWD:/data" model -o /data/out.npz /data/in.npz
FROM scratch

COPY model /
USER 1000
ENTRYPOINT ["/model"]
