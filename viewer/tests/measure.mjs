// How long the page takes for large models: reading a frame, frames shown per second while playing, and a drawing call.
// usage: node viewer/tests/measure.mjs results.h5 ...; without arguments ten thousand spheres
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, isShown, newPage, percuss, startBrowser, until, view } from "./support.mjs";

function manySpheres() {
  const scene = join(folder, "spheres.yaml");
  writeFileSync(
    scene,
    `percuss: 1
title: Ten thousand spheres
gravity: [0, 0, -9.81]
materials: {steel: {density: 1000}}
bodies:
  - {repeat: {count: 10000, index: i}, sphere: "ball{i}", radius: 0.3, material: steel, position: [i - 100*floor(i/100), floor(i/100), 0], velocity: [0, 0, 0.01*i/100]}
integrator: {scheme: moreau-explicit}
time: {end: 3, step: 0.03}
`,
  );
  execFileSync(percuss, ["run", scene, "--quiet", "-o", join(folder, "spheres.h5")]);
  return join(folder, "spheres.h5");
}

const files = process.argv.length > 2 ? process.argv.slice(2) : [manySpheres()];
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
    const before = session.statistics.framesShown;
    session.statistics.drawMilliseconds.length = 0;
    session.player.toggle();
    const begin = performance.now();
    await new Promise((done) => setTimeout(done, 5000));
    const seconds = (performance.now() - begin) / 1000;
    const times = [...session.statistics.drawMilliseconds].sort((a, b) => a - b);
    return { readMilliseconds, framesPerSecond: (session.statistics.framesShown - before) / seconds, medianDraw: times[Math.floor(times.length / 2)] };
  });
  console.log(`${file}: open ${opened} ms, reading a frame ${numbers.readMilliseconds.toFixed(1)} ms, ${numbers.framesPerSecond.toFixed(1)} frames/s shown, drawing call ${numbers.medianDraw?.toFixed(2)} ms (median)`);
  await tab.close();
  await server.stop();
}
await browser.close();
