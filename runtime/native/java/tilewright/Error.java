package tilewright;

/** An error of the runtime; {@code kind} is its name in Python, such as "ValueError". */
public final class Error extends RuntimeException {
    private static final long serialVersionUID = 1;
    public final String kind;

    public Error(String kind, String message) {
        super(message);
        this.kind = kind;
    }
}
