// What the tests of the viewer share: the program, results files, a browser.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const percuss = process.env.PERCUSS_PROGRAM ?? join(root, "build/release/bin/percuss");
export const page = join(root, "viewer/dist/index.html");
export const folder = mkdtempSync(join(tmpdir(), "percuss-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const skipped = 77;
if (!existsSync(page)) {
  console.log("SKIPPED: the viewer has not been built: scripts/build_viewer");
  process.exit(skipped);
}

/** Six scenes, shortened: [scene, overrides]. */
export const scenes = {
  bouncing_ball: ["record.every=0.01"],
  thirty_cubes: ["time.end=0.3"],
  slider_crank_joints: [],
  flexible_cube: ["parameters.cells=2", "time.step=1e-3", "record.every=5e-3"],
  beam_roll_up: ["time.end=1"],
  arch: ["time.end=0.5"],
};

export function simulate(scene, overrides = [], name = scene) {
  const results = join(folder, `${name}.h5`);
  const sets = overrides.flatMap((change) => ["--set", change]);
  execFileSync(percuss, ["run", join(root, "scenes", `${scene}.yaml`), "--quiet", "-o", results, ...sets]);
  return results;
}

/** Starts `percuss view`; `stop` ends it with Ctrl-C and returns its exit code. */
export async function view(results) {
  const server = spawn(percuss, ["view", results, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => server.on("exit", done));
  const address = await new Promise((found, failed) => {
    server.on("exit", () => failed(new Error("percuss view has ended")));
    server.stdout.on("data", (text) => {
      const match = String(text).match(/http:\/\/127\.0\.0\.1:(\d+)\/(\?token=[0-9a-f]{32})/);
      if (match) found({ url: match[0], port: Number(match[1]), token: match[2] });
    });
  });
  const stop = () => {
    server.kill("SIGINT");
    return ended;
  };
  return { ...address, stop, process: server };
}

const arguments_ = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-proxy-server", "--use-gl=angle", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

export async function startBrowser() {
  const executablePath = process.env.PERCUSS_TEST_BROWSER ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    console.log(`SKIPPED: there is no ${executablePath}: scripts/install_dependencies --tests`);
    process.exit(skipped);
  }
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath, args: arguments_ });
}

/** A page, and everything that its console calls an error or a warning of ours. */
export async function newPage(browser, options = {}) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 760 }, ...options });
  const errors = [];
  tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  tab.on("pageerror", (error) => errors.push(error.message));
  tab.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|file:|blob:|data:)/.test(request.url())) errors.push(`asks for ${request.url()}`);
  });
  return { tab, errors };
}

/** Waits until `condition`, a function that runs in the page, is true. */
export async function until(tab, condition, argument) {
  const end = Date.now() + 30_000;
  while (!(await tab.evaluate(condition, argument))) {
    if (Date.now() > end) {
      const message = await tab.evaluate(() => document.querySelector("#message")?.textContent);
      throw new Error(`waited in vain for ${condition}; the page says: ${message}`);
    }
    await new Promise((done) => setTimeout(done, 30));
  }
}

export const isShown = () => (window.percussViewer?.session?.statistics.framesShown ?? 0) > 0;

/** Drops a file onto the page as a person would. */
export async function drop(tab, path, name) {
  const bytes = readFileSync(path).toString("base64");
  await tab.evaluate(
    ([text, fileName]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], fileName));
      for (const type of ["dragover", "drop"])
        document.querySelector("#stage").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [bytes, name],
  );
}
