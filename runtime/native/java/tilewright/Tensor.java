package tilewright;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A row-major tensor in memory of the C runtime, which Java reads and writes by a buffer. */
public final class Tensor implements AutoCloseable {
    /** The types of elements: the type code of DLPack, and the number of bits. */
    public enum Type {
        FLOAT32(2, 32), FLOAT64(2, 64), INT8(0, 8), INT16(0, 16), INT32(0, 32), INT64(0, 64),
        UINT8(1, 8), BOOL(6, 8);

        final int word;

        Type(int code, int bits) {
            this.word = code | bits << 8 | 1 << 16;
        }
    }

    final Handle handle;
    private final Cleaner.Cleanable cleanable;

    Tensor(long address) {
        this.handle = new Handle(address, Native::release);
        this.cleanable = Model.CLEANER.register(this, handle);
    }

    /** Make a tensor; its elements are not set. */
    public static Tensor empty(Type type, long... shape) {
        return new Tensor(Native.tensor(type.word, shape));
    }

    /** Make a tensor of float32 with a copy of the elements. */
    public static Tensor of(float[] elements, long... shape) {
        Tensor made = empty(Type.FLOAT32, shape);
        made.buffer().asFloatBuffer().put(elements);
        return made;
    }

    public long[] shape() {
        return Native.shape(handle.get());
    }

    /** The bytes of all elements; valid until the tensor is closed or no longer referred to. */
    public ByteBuffer buffer() {
        return Native.buffer(handle.get()).order(ByteOrder.nativeOrder());
    }

    /** Return a copy of the elements of a tensor of float32. */
    public float[] floats() {
        if (Native.type(handle.get()) != Type.FLOAT32.word) {
            throw new Error("TypeError", "the elements of the tensor are not float32");
        }
        var elements = buffer().asFloatBuffer();
        float[] made = new float[elements.remaining()];
        elements.get(made);
        java.lang.ref.Reference.reachabilityFence(this);
        return made;
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
