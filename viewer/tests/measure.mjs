// How long the page takes for large models: reading a frame, frames shown per second while playing, a drawing
// call, and how long it takes until its pixels are there.
// usage: node viewer/tests/measure.mjs results.h5 ...; without arguments ten thousand spheres and a solid of a hundred thousand nodes
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, isShown, newPage, percuss, startBrowser, until, view } from "./support.mjs";

function results(name, text) {
  const scene = join(folder, `${name}.yaml`);
  writeFileSync(scene, text);
  execFileSync(percuss, ["run", scene, "--quiet", "-o", join(folder, `${name}.h5`)]);
  return join(folder, `${name}.h5`);
}

const spheres = `percuss: 1
title: Ten thousand spheres
gravity: [0, 0, -9.81]
materials: {steel: {density: 1000}}
bodies:
  - {repeat: {count: 10000, index: i}, sphere: "ball{i}", radius: 0.3, material: steel, position: [i - 100*floor(i/100), floor(i/100), 0], velocity: [0, 0, 0.01*i/100]}
integrator: {scheme: moreau-explicit}
time: {end: 3, step: 0.03}
`;
const solid = `percuss: 1
title: A hundred thousand nodes
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, young: 1e6, poisson: 0.3}}
bodies:
  - {solid: block, material: rubber, formulation: small, mass_matrix: lumped, velocity: [0, 0, 1], mesh: {box: {corner: [0, 0, 0], size: [1, 1, 1], divisions: [46, 46, 46]}}}
integrator: {scheme: moreau-explicit}
time: {end: 0.012, step: 2e-4}
record: {every: 4e-4}
`;

const files = process.argv.length > 2 ? process.argv.slice(2) : [results("spheres", spheres), results("solid", solid)];
const browser = await startBrowser();
for (const file of files) {
  const server = await view(file);
  const { tab } = await newPage(browser);
  const start = Date.now();
  await tab.goto(server.url);
  await until(tab, isShown);
  const opened = Date.now() - start;
  const numbers = await tab.evaluate(async () => {
    const { session } = window.percussViewer;
    // Reading alone: frames that have not been asked for yet.
    const count = Math.min(30, session.info.times.length - 1);
    const reading = performance.now();
    for (let i = 1; i <= count; ++i) await session.results.frame(i, { colouring: "none", contacts: true });
    const readMilliseconds = (performance.now() - reading) / count;
    // Drawing until the last pixel is there, which a drawing call does not wait for.
    const gl = session.stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    const finished = [];
    for (let i = 0; i < 5; ++i) {
      session.stage.redraw();
      const begin = performance.now();
      session.stage.draw();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      finished.push(performance.now() - begin);
    }
    const pixelsMilliseconds = Math.min(...finished);
    const before = session.statistics.framesShown;
    session.statistics.drawMilliseconds.length = 0;
    session.player.toggle();
    const begin = performance.now();
    await new Promise((done) => setTimeout(done, 5000));
    const seconds = (performance.now() - begin) / 1000;
    const times = [...session.statistics.drawMilliseconds].sort((a, b) => a - b);
    return { readMilliseconds, pixelsMilliseconds, framesPerSecond: (session.statistics.framesShown - before) / seconds, medianDraw: times[Math.floor(times.length / 2)] };
  });
  console.log(`${file}: open ${opened} ms, reading a frame ${numbers.readMilliseconds.toFixed(1)} ms, ${numbers.framesPerSecond.toFixed(1)} frames/s shown, drawing call ${numbers.medianDraw?.toFixed(2)} ms (median), until the pixels are there ${numbers.pixelsMilliseconds.toFixed(0)} ms`);
  await tab.close();
  await server.stop();
}
await browser.close();
