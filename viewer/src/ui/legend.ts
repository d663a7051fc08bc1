import { shortNumber } from "../plots/card";
import type { Colouring, RunInfo } from "../results/protocol";
import { forceColour, impulseColour, normalColour, rampCss } from "../scene/colours";
import { byId } from "./dom";

const units = { displacement: "m", speed: "m/s", stress: "Pa" } as const;

export interface LegendContent {
  colouring: Colouring;
  contacts: boolean;
  forces: boolean;
  impulses: boolean;
  cell: number;
}

/** What colours, arrows and the grid mean, with units. */
export function showLegend(info: RunInfo, content: LegendContent): void {
  const parts: string[] = [];
  if (content.colouring !== "none" && info.flexibles.length > 0) {
    const names = { displacement: "displacement", speed: "speed", stress: [...new Set(info.flexibles.map((body) => body.stressName))].join(" / ") };
    const { colouring } = content;
    parts.push(
      `<div>${names[colouring]} [${units[colouring]}]</div><div class="ramp" style="background:${rampCss}"></div>` +
        `<div class="ends"><span>0</span><span>${shortNumber(Number(info.largest[colouring].toPrecision(3)))}</span></div>`,
    );
  }
  const entry = (colour: string, text: string) =>
    `<div class="entry"><span class="swatch" style="background:${colour}"></span>${text}</div>`;
  const upTo = (value: number, unit: string) => `, longest ${shortNumber(Number(value.toPrecision(3)))} ${unit}`;
  if (content.contacts && info.contactCount > 0) {
    parts.push(entry(normalColour, "contact point and normal"));
    if (content.forces && info.largest.force > 0) parts.push(entry(forceColour, `contact force${upTo(info.largest.force, "N")}`));
    if (content.impulses && info.largest.impulse > 0)
      parts.push(entry(impulseColour, `impulse of an impact${upTo(info.largest.impulse, "N s")}`));
  }
  if (info.walls.length > 0) parts.push(entry("#8090a4", `walls, a cell of the grid is ${shortNumber(content.cell)} m`));
  byId("legend").innerHTML = parts.join("");
}
