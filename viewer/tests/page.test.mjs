// The page in a browser: six scenes, and files that cannot be shown.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { drop, folder, isShown, newPage, page, percuss, root, scenes, simulate, startBrowser, until, view } from "./support.mjs";

const pictures = process.env.PERCUSS_TEST_PICTURES; // a folder for screenshots, to look at them
let browser;
before(async () => {
  browser = await startBrowser();
  if (pictures) mkdirSync(pictures, { recursive: true });
});
after(() => browser?.close());

const frame = () => Number(document.querySelector("#slider").value);
const isAt = (wanted) => Number(document.querySelector("#slider").value) === wanted;

/** The part of the canvas that is not background: an empty picture shows nothing but that. */
async function drawnPixels(tab) {
  return tab.evaluate(() => {
    const canvas = document.querySelector("#canvas");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [200, 120];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0, 200, 120);
    const { data } = context.getImageData(0, 0, 200, 120);
    let different = 0;
    for (let i = 4; i < data.length; i += 4) different += Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) > 20 ? 1 : 0;
    return different;
  });
}

for (const [scene, overrides] of Object.entries(scenes)) {
  test(`${scene}: plays, scrubs and plots`, async () => {
    const server = await view(simulate(scene, overrides));
    const { tab, errors } = await newPage(browser);
    await tab.goto(server.url);
    await until(tab, isShown);
    const last = Number(await tab.getAttribute("#slider", "max"));
    assert.ok(last > 10, `${last} frames`);
    assert.ok((await drawnPixels(tab)) > 50, "something is drawn");

    await tab.keyboard.press("Space");
    await until(tab, () => Number(document.querySelector("#slider").value) > 3);
    await tab.keyboard.press("Space");

    await tab.locator("#slider").fill(String(Math.floor(0.7 * last)));
    await until(tab, isAt, Math.floor(0.7 * last));
    await tab.click("#forward");
    await until(tab, isAt, Math.floor(0.7 * last) + 1);
    await tab.click("#title"); // away from the slider, which has arrow keys of its own
    await tab.keyboard.press("ArrowLeft");
    await until(tab, isAt, Math.floor(0.7 * last));
    assert.equal(await tab.evaluate(frame), Math.floor(0.7 * last));

    await until(tab, () => document.querySelectorAll(".card").length > 1);
    const cards = await tab.locator(".card").count();
    await tab.fill("#search", "report residual");
    await tab.locator("#found li").first().click();
    await until(tab, (before) => document.querySelectorAll(".card").length === before + 1, cards);
    await tab.locator("#search").press("Escape");

    for (const view of ["x", "y", "z", "free"]) await tab.click(`[data-view=${view}]`);
    await tab.click("#fit");
    if (pictures) await tab.screenshot({ path: join(pictures, `${scene}.png`) });
    assert.deepEqual(errors, []);
    await tab.close();
    assert.equal(await server.stop(), 0, "Ctrl-C ends the server cleanly");
  });
}

test("a plot knows the numbers of the file, and saves them", async () => {
  const server = await view(simulate("bouncing_ball", scenes.bouncing_ball, "numbers"));
  const { tab, errors } = await newPage(browser, { acceptDownloads: true });
  await tab.goto(server.url);
  await until(tab, () => document.querySelectorAll(".card").length > 2);
  const [file] = await Promise.all([tab.waitForEvent("download"), tab.locator(".card button", { hasText: "CSV" }).first().click()]);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.equal(lines[0], "# units: s,m");
  assert.equal(lines[1], "time,height");
  // The ball falls from 0.801 m with 10 m/s^2, and hits the floor first at 0.40025 s.
  for (const line of lines.slice(2, 40)) {
    const [time, height] = line.split(",").map(Number);
    assert.ok(Math.abs(height - (0.801 - 5 * time * time)) < 1e-2, `height ${height} at ${time}`);
  }
  const [picture] = await Promise.all([tab.waitForEvent("download"), tab.locator(".card button", { hasText: "PNG" }).first().click()]);
  assert.equal(readFileSync(await picture.path()).subarray(1, 4).toString(), "PNG");

  await tab.fill("#orbit-x", "height");
  await tab.fill("#orbit-y", "velocity");
  await tab.click("#add-orbit");
  await until(tab, () => document.querySelector(".card .dot") !== null);
  await tab.fill("#search", "contact(ball, floor).impulse");
  await tab.locator("#found li").first().click();
  await until(tab, () => [...document.querySelectorAll(".card b")].some((b) => b.textContent.includes("contact(ball, floor).impulse")));

  await tab.fill("#body", "ball");
  for (const button of ["#follow", "#trace"]) {
    await tab.click(button);
    await until(tab, (id) => document.querySelector(id).ariaPressed === "true", button);
  }
  await tab.click("#theme");
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), "dark");
  if (pictures) await tab.screenshot({ path: join(pictures, "dark.png") });
  assert.deepEqual(errors, []);
  await tab.close();
  await server.stop();
});

test("colours of deformable bodies have a legend with units", async () => {
  const server = await view(simulate("flexible_cube", scenes.flexible_cube, "colours"));
  const { tab, errors } = await newPage(browser);
  await tab.goto(server.url);
  await until(tab, isShown);
  for (const [choice, text] of [["displacement", "displacement [m]"], ["speed", "speed [m/s]"], ["stress", "von Mises stress"]]) {
    await tab.selectOption("#colouring", choice);
    assert.match(await tab.textContent("#legend"), new RegExp(text.replace(/[[\]/]/g, "\\$&")));
  }
  assert.deepEqual(errors, []);
  await tab.close();
  await server.stop();
});

test("a dropped file is shown without a server", async () => {
  const results = simulate("bouncing_ball", scenes.bouncing_ball, "dropped");
  const { tab, errors } = await newPage(browser);
  await tab.goto(pathToFileURL(page).href);
  await until(tab, () => document.querySelector("#message").textContent.includes("Drop a results file"));
  await drop(tab, results, "dropped.h5");
  await until(tab, isShown);
  assert.match(await tab.textContent("#facts"), /dropped\.h5/);
  assert.equal(await tab.getAttribute("#slider", "max"), "500");
  assert.deepEqual(errors, []);
  await tab.close();
});

test("a report needs nothing but itself", async () => {
  for (const scene of ["thirty_cubes", "flexible_cube"]) {
    const report = join(folder, `${scene}.html`);
    execFileSync(percuss, ["report", simulate(scene, scenes[scene], `${scene}_report`), "-o", report]);
    const { tab, errors } = await newPage(browser);
    tab.on("request", (request) => request.url() === pathToFileURL(report).href || errors.push(`asks for ${request.url()}`));
    await tab.goto(pathToFileURL(report).href);
    const picture = () => tab.evaluate(() => document.querySelector("#animation").toDataURL());
    const before = await picture();
    await tab.locator("#frame").fill("20");
    assert.notEqual(await picture(), before, "the picture moves");
    await tab.click("#play");
    await until(tab, () => Number(document.querySelector("#frame").value) > 22);
    assert.ok((await tab.locator("svg .curve").count()) > 4, "there are plots");
    assert.match(await tab.textContent("body"), /deepest penetration.*largest drift.*lost in impacts/s);
    assert.deepEqual(errors, []);
    if (pictures) await tab.screenshot({ path: join(pictures, `${scene}_report.png`), fullPage: true });
    await tab.close();
  }
});

/** What the page says about a file. */
async function complaint(tab, path, name) {
  await drop(tab, path, name);
  await until(tab, () => /^Cannot show/.test(document.querySelector("#message").textContent));
  return tab.textContent("#message");
}

test("files that cannot be shown are explained", async () => {
  const { tab, errors } = await newPage(browser);
  await tab.goto(pathToFileURL(page).href);
  const path = (name) => join(folder, name);
  writeFileSync(path("notes.h5"), "no results at all, but some text that is long enough");
  assert.match(await complaint(tab, path("notes.h5"), "notes.h5"), /notes\.h5: it is not an HDF5 file/);
  writeFileSync(path("empty.h5"), "");
  assert.match(await complaint(tab, path("empty.h5"), "empty.h5"), /empty\.h5: it is empty/);

  const { default: h5wasm } = await import("h5wasm/node");
  await h5wasm.ready;
  const make = (name, fill) => {
    const file = new h5wasm.File(path(name), "w");
    fill(file);
    file.close();
  };
  make("other.h5", (file) => file.create_attribute("format", "someone-else"));
  assert.match(await complaint(tab, path("other.h5"), "other.h5"), /not a results file of percuss/);
  const version = (number) => (file) => {
    file.create_attribute("format", "percuss-results");
    file.create_attribute("format_version", BigInt64Array.of(BigInt(number)), [], "<q");
    file.create_attribute("percuss_version", "7.5");
  };
  make("new.h5", version(99));
  assert.match(await complaint(tab, path("new.h5"), "new.h5"), /format version is 99, .* percuss 7\.5 or later/);
  make("old.h5", version(4));
  assert.match(await complaint(tab, path("old.h5"), "old.h5"), /format version is 4, the oldest .* is 7/);
  make("no_frames.h5", (file) => {
    version(7)(file);
    file.create_group("run").create_dataset({ name: "saved", data: BigInt64Array.of(0n, 0n, 0n) });
    file.create_dataset({ name: "time", data: new Float64Array(1) });
  });
  assert.match(await complaint(tab, path("no_frames.h5"), "no_frames.h5"), /the run has no frame/);

  const whole = simulate("bouncing_ball", scenes.bouncing_ball, "whole");
  for (const part of [0.1, 0.5, 0.9]) {
    copyFileSync(whole, path("cut.h5"));
    truncateSync(path("cut.h5"), Math.floor(part * statSync(whole).size));
    assert.match(await complaint(tab, path("cut.h5"), "cut.h5"), /cut\.h5: it is damaged or cut off/);
  }
  assert.deepEqual(errors, []);
  await drop(tab, whole, "whole.h5"); // and the page goes on
  await until(tab, isShown);
  await tab.close();
});

test("a file of format version 7 is shown", async () => {
  const { tab, errors } = await newPage(browser);
  await tab.goto(pathToFileURL(page).href);
  const old = join(folder, "version_7.h5");
  writeFileSync(old, gunzipSync(readFileSync(join(root, "tests/unit/io/data/results_version_7.h5.gz"))));
  await drop(tab, old, "version_7.h5");
  await until(tab, isShown);
  assert.equal(await tab.getAttribute("#slider", "max"), "20");
  assert.ok((await drawnPixels(tab)) > 50, "something is drawn");
  assert.deepEqual(errors, []);
  await tab.close();
});

test("what a killed run has left is shown, and said so", async () => {
  const results = join(folder, "killed.h5");
  const overrides = ["time.end=1000", "time.step=1e-5", "record.every=1e-3", "record.flush=0.1"];
  const sets = overrides.flatMap((change) => ["--set", change]);
  const run = spawn(percuss, ["run", join(root, "scenes/bouncing_ball.yaml"), "--quiet", "-o", results, ...sets]);
  const ended = new Promise((done) => run.on("exit", done));
  await new Promise((done) => setTimeout(done, 1500));
  run.kill("SIGKILL");
  await ended;
  const { tab, errors } = await newPage(browser);
  await tab.goto(pathToFileURL(page).href);
  await drop(tab, results, "killed.h5");
  await until(tab, isShown);
  assert.match(await tab.textContent("#notice"), /has not ended, or was killed: \d+ frames/);
  assert.deepEqual(errors, []);
  await tab.close();
});
