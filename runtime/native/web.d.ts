/** An array of elements, row by row, and the sizes of its dimensions. */
export type Tensor<A> = A & { shape?: readonly number[] };

/** The inputs of the model. */
export interface Inputs {
  /* inputs */
}

/** The outputs of the model; each has its sizes in `shape`. */
export interface Outputs {
  /* outputs */
}

/** The name, dtype and sizes of an input or output; a size that is a text differs from call to call. */
export interface Spec {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly (number | string)[];
  /** The class of the array, such as Float32Array. */
  readonly array: new (length: number) => ArrayLike<number> | ArrayLike<bigint>;
}

/** A loaded model; it runs one call at a time, on the calling thread. */
export interface Model {
  readonly name: string;
  readonly inputs: readonly Spec[];
  readonly outputs: readonly Spec[];
  /** Run the model; throws TilewrightError for arguments that do not fit. */
  run(inputs: Inputs): Outputs;
}

/** An error of a model: an argument that does not fit, or a failure of a run. */
export class TilewrightError extends Error {
  /** The kind of the error in Python, such as "IndexError". */
  readonly kind: string;
}

/** Return an array with the sizes of its dimensions. */
export function tensor<A extends ArrayLike<number> | ArrayLike<bigint>>(
  data: A,
  shape: readonly number[],
): A & { shape: readonly number[] };

/** Return whether this engine has a feature, such as "relaxed-simd". */
export function supports(feature: string): boolean;

/** Load the model: by default from the file next to this module. */
export function load(
  source?: string | URL | BufferSource | Response | WebAssembly.Module | Promise<Response>,
): Promise<Model>;
