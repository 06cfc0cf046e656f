/* A library of another vendor, as packed functions: a convolution with its ReLU, and a product.
 *
 * cc -shared -fPIC -O2 vendor.c -o libvendor.so; with -DSGEMM=cblas_sgemm and a library that has it,
 * the product calls BLAS.
 */

#include <stddef.h>
#include <stdint.h>

#include "packed.h"

static const struct tw_tensor *tensor(const struct tw_value *value)
{
    const char *object = value->payload.pointer;
    size_t header = offsetof(struct tw_tensor_object, tensor);
    return (const void *)(value->type_index == TW_TENSOR ? object + header : object);
}

static float *floats(const struct tw_tensor *t) { return (float *)((char *)t->data + t->byte_offset); }

/* x [n, c, h, w], weights [o, c, r, s], y [n, o, h', w']: strides 1, and equal pads at both ends. */
int32_t __tvm_ffi_vendor_conv_relu(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self, (void)count, (void)result;
    const struct tw_tensor *xs = tensor(&args[0]), *ws = tensor(&args[1]), *ys = tensor(&args[2]);
    const int64_t *d = xs->shape, *k = ws->shape, *e = ys->shape;
    int64_t top = (e[2] - d[2] + k[2] - 1) / 2, left = (e[3] - d[3] + k[3] - 1) / 2;
    const float *x = floats(xs), *w = floats(ws);
    float *y = floats(ys);
    for (int64_t n = 0; n < e[0]; n++)
        for (int64_t o = 0; o < e[1]; o++)
            for (int64_t i = 0; i < e[2]; i++)
                for (int64_t j = 0; j < e[3]; j++) {
                    float sum = 0;
                    for (int64_t c = 0; c < d[1]; c++)
                        for (int64_t r = 0; r < k[2]; r++)
                            for (int64_t s = 0; s < k[3]; s++) {
                                int64_t row = i + r - top, column = j + s - left;
                                if (row < 0 || row >= d[2] || column < 0 || column >= d[3])
                                    continue;
                                sum += x[((n * d[1] + c) * d[2] + row) * d[3] + column] *
                                    w[((o * d[1] + c) * k[2] + r) * k[3] + s];
                            }
                    y[((n * e[1] + o) * e[2] + i) * e[3] + j] = sum > 0 ? sum : 0;
                }
    return 0;
}

#ifdef SGEMM
void SGEMM(int layout, int a_form, int b_form, int64_t m, int64_t n, int64_t k, float alpha,
    const float *a, int64_t a_row, const float *b, int64_t b_row, float beta, float *c,
    int64_t c_row);
#endif

/* a [m, k], b [k, n], c [m, n] */
int32_t __tvm_ffi_vendor_matmul(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self, (void)count, (void)result;
    const struct tw_tensor *as = tensor(&args[0]), *bs = tensor(&args[1]), *cs = tensor(&args[2]);
    int64_t m = as->shape[0], k = as->shape[1], n = bs->shape[1];
    const float *a = floats(as), *b = floats(bs);
    float *c = floats(cs);
#ifdef SGEMM
    SGEMM(101, 111, 111, m, n, k, 1, a, k, b, n, 0, c, n);
#else
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = sum;
        }
#endif
    return 0;
}
