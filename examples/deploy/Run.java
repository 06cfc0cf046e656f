/* Run a model of one 4x8 input and one 4x8 output; the comment of tilewright.Model compiles it. */
import tilewright.Model;
import tilewright.Tensor;

public class Run {
    public static void main(String[] words) {
        try (Model model = Model.load(words.length > 0 ? words[0] : "m.so")) {
            for (Model.Argument input : model.inputs()) {
                System.err.println(input.name() + ": " + input.type());
            }
            float[] elements = new float[32];
            for (int n = 0; n < 32; n++) elements[n] = (float) n / 32;
            for (float y : model.run(Tensor.of(elements, 4, 8)).get(0).floats()) System.out.println(y);
        } catch (tilewright.Error error) {
            System.err.println(error.kind + ": " + error.getMessage());
            System.exit(1);
        }
    }
}
