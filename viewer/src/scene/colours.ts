import { Color } from "three";

/** Okabe and Ito's colours, which colour-blind people can tell apart. */
export const okabeIto = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C8C8C"] as const;
export const forceColour = "#D55E00";
export const impulseColour = "#CC79A7";
export const normalColour = "#8C8C8C";

/** Points of viridis, whose lightness grows evenly: readable without colours too. */
const viridis = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"].map((c) => new Color(c));

/** Of a part of the range, into out[at...]. */
export function ramp(part: number, out: Float32Array, at: number): void {
  const x = Math.min(Math.max(part, 0), 1) * (viridis.length - 1);
  const i = Math.min(Math.floor(x), viridis.length - 2);
  const [a, b, t] = [viridis[i]!, viridis[i + 1]!, x - i];
  out[at] = a.r + t * (b.r - a.r);
  out[at + 1] = a.g + t * (b.g - a.g);
  out[at + 2] = a.b + t * (b.b - a.b);
}

export const rampCss = `linear-gradient(to right, ${viridis.map((c) => `#${c.getHexString()}`).join(", ")})`;
