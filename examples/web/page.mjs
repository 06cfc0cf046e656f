/* Classifies the images of the page, and those that a visitor chooses. */

import { load, tensor } from "./shapes.mjs";

const CLASSES = ["circle", "square", "triangle"], SIZE = 32;
const images = document.getElementById("images"), status = document.getElementById("status");
const model = await load();

/* Return the brightness of an image, drawn to SIZE x SIZE points, as the input of the model. */
function brightness(image) {
  const canvas = new OffscreenCanvas(SIZE, SIZE).getContext("2d");
  canvas.drawImage(image, 0, 0, SIZE, SIZE);
  const { data } = canvas.getImageData(0, 0, SIZE, SIZE);
  const points = Float32Array.from({ length: SIZE * SIZE }, (_, at) => data[4 * at] / 255);
  return tensor(points, [1, 1, SIZE, SIZE]);
}

/* Show an image with the class that the model gives it. */
async function classify(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const start = performance.now();
  const { scores } = model.run({ image: brightness(image) });
  const time = performance.now() - start;
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = CLASSES[scores.indexOf(Math.max(...scores))];
  figure.append(image, caption);
  images.append(figure);
  status.textContent = `The last image took ${time.toFixed(2)} ms.`;
}

document.querySelector("input").addEventListener("change", async ({ target }) => {
  for (const file of target.files)
    await classify(URL.createObjectURL(file));
});
for (const name of CLASSES)
  await classify(`${name}.svg`);
document.body.dataset.ready = "yes";
