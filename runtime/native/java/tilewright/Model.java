package tilewright;

import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A compiled model that {@code export_library} wrote, over the C runtime.
 *
 * <pre>
 * cc -shared -fPIC -O2 -Inative -I$JAVA_HOME/include -I$JAVA_HOME/include/linux
 *     native/java/tilewright.c native/tilewright.c -o libtilewright.so -ldl -lpthread
 * javac -d classes native/java/tilewright/*.java App.java
 * java -Djava.library.path=. -cp classes App
 * </pre>
 *
 * A model is closed explicitly or when nothing refers to it. Several threads may call it.
 */
public final class Model implements AutoCloseable {
    static final Cleaner CLEANER = Cleaner.create();

    /** An input or output: its name, and its dtype and shape as text, such as float32[rows, 8]. */
    public record Argument(String name, String type) {}

    private final Handle handle;
    private final Cleaner.Cleanable cleanable;

    private Model(long address) {
        this.handle = new Handle(address, Native::unload);
        this.cleanable = CLEANER.register(this, handle);
    }

    /** Load a library. Throws an Error that says why it does not fit this machine or is damaged. */
    public static Model load(String path) {
        return new Model(Native.load((path + "\0").getBytes(StandardCharsets.UTF_8)));
    }

    public List<Argument> inputs() {
        return arguments(0, Native.counts(handle.get())[0]);
    }

    public List<Argument> outputs() {
        int[] counts = Native.counts(handle.get());
        return arguments(counts[0], counts[1]);
    }

    /** The description of the model that the library contains, as JSON. */
    public String manifest() {
        return Native.manifest(handle.get());
    }

    /** Set the number of threads of a call; it is 1 at first. */
    public void setThreads(int count) {
        Native.setThreads(handle.get(), count);
    }

    /** Run the model; the outputs have their actual sizes. */
    public List<Tensor> run(Tensor... inputs) {
        long[] given = new long[inputs.length];
        for (int index = 0; index < given.length; index++) {
            given[index] = inputs[index].handle.get();
        }
        List<Tensor> outputs = new ArrayList<>();
        for (long made : Native.run(handle.get(), given)) {
            outputs.add(new Tensor(made));
        }
        for (Tensor input : inputs) {
            java.lang.ref.Reference.reachabilityFence(input);
        }
        java.lang.ref.Reference.reachabilityFence(this);
        return outputs;
    }

    /** Unload the library. No call may run then. */
    @Override
    public void close() {
        cleanable.clean();
    }

    private List<Argument> arguments(int first, int count) {
        List<Argument> found = new ArrayList<>();
        for (int index = first; index < first + count; index++) {
            String[] texts = Native.argument(handle.get(), index);
            found.add(new Argument(texts[0], texts[1]));
        }
        return found;
    }
}
