package tilewright;

import java.util.function.LongConsumer;

/** An object of the C runtime, which is released once: when it is closed or no longer reachable. */
final class Handle implements Runnable {
    private final LongConsumer release;
    private long address;

    Handle(long address, LongConsumer release) {
        this.address = address;
        this.release = release;
    }

    synchronized long get() {
        if (address == 0) {
            throw new IllegalStateException("the object is closed");
        }
        return address;
    }

    @Override
    public synchronized void run() {
        if (address != 0) {
            release.accept(address);
        }
        address = 0;
    }
}
