// The pictures of docs/gallery/worlds.md, as the page draws them.
// usage: node viewer/tests/pictures.mjs FOLDER [SCENE ...]; without scenes all of the table
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isShown, newPage, simulate, startBrowser, until, view } from "./support.mjs";

/** Which part of the run is shown. */
const moments = {
  dominoes: 0.6, card_house: 0, overhang: 1, free_arch: 0, kapla_tower: 1, dry_wall: 1, stone_heap: 1, sphere_pile: 0.35,
  hopper: 0.4, rock_fall: 0.5, chain: 0.3, gear_pair: 0.5, newtons_cradle: 0.3, billiard_break: 0.6, eulers_disk: 0.3,
  tippe_top: 0.8, rattleback: 0.5, soft_heap: 1, masonry_wall: 0, rolling_resistance: 0.3, billiard_cushion: 0.4, conveyor: 0.6,
};

const [folder, ...chosen] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node viewer/tests/pictures.mjs FOLDER [SCENE ...]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
for (const scene of chosen.length > 0 ? chosen : Object.keys(moments)) {
  const server = await view(simulate(scene));
  const { tab } = await newPage(browser, { viewport: { width: 1000, height: 560 } });
  await tab.goto(server.url);
  await until(tab, isShown);
  for (const id of ["contacts", "forces", "impulses"]) await tab.uncheck(`#${id}`);
  const last = Number(await tab.getAttribute("#slider", "max"));
  await tab.locator("#slider").fill(String(Math.round((moments[scene] ?? 0.5) * last)));
  await tab.click("#fit");
  await tab.addStyleTag({ content: "#tools, #legend { display: none }" });
  await new Promise((done) => setTimeout(done, 500));
  await tab.locator("#canvas").screenshot({ path: join(folder, `${scene}.png`) });
  await tab.close();
  await server.stop();
  console.log(scene);
}
await browser.close();
