package tilewright;

import java.nio.ByteBuffer;

/** The functions of tilewright.c next to this folder. They throw an Error. */
final class Native {
    static {
        System.loadLibrary("tilewright");
    }

    private Native() {}

    static native long load(byte[] path);

    static native void unload(long model);

    static native int[] counts(long model);

    static native String[] argument(long model, int index);

    static native String manifest(long model);

    static native void setThreads(long model, int count);

    static native long[] run(long model, long[] inputs);

    static native long tensor(int type, long[] shape);

    static native void release(long tensor);

    static native long[] shape(long tensor);

    static native int type(long tensor);

    static native ByteBuffer buffer(long tensor);
}
