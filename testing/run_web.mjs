/* Runs a model that is compiled to WebAssembly once, in node: node run_web.mjs MODULE FOLDER.
 *
 * MODULE is the ES module of the model. FOLDER has the inputs, row by row: each input's name, shape and
 * bytes in inputs.json, and the elements of all inputs in inputs.bin. The outputs are written to
 * outputs.json and outputs.bin in the same form. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";

const [, , file, folder] = argv;
const { load, tensor, TilewrightError } = await import(pathToFileURL(file));

try {
  const model = await load();
  const data = await readFile(join(folder, "inputs.bin"));
  const inputs = {};
  let at = 0;
  for (const { name, shape, bytes } of JSON.parse(await readFile(join(folder, "inputs.json")))) {
    const kind = model.inputs.find((spec) => spec.name === name).array;
    const own = Uint8Array.from(data.subarray(at, at + bytes));
    inputs[name] = tensor(new kind(own.buffer), shape);
    at += bytes;
  }
  const rows = Object.entries(model.run(inputs));
  const facts = rows.map(([name, { shape, byteLength }]) => ({ name, shape, bytes: byteLength }));
  const parts = rows.map(([, array]) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  await writeFile(join(folder, "outputs.json"), JSON.stringify(facts));
  await writeFile(join(folder, "outputs.bin"), Buffer.concat(parts));
} catch (error) {
  if (!(error instanceof TilewrightError))
    throw error;
  console.error(error.message);
  exit(1);
}
