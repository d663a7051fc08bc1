import { defineConfig, type Plugin } from "vite";

/** Puts scripts and styles into the page: one file that also opens from a disk, where modules cannot be loaded. */
function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no index.html in the bundle");
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk") {
          const script = item.code.replaceAll("</script", "<\\/script");
          const place = new RegExp(`<script[^>]*src="[^"]*${item.fileName}"[^>]*></script>`);
          html = html.replace(place, "");
          html = html.replace("</body>", () => `<script type="module">${script}</script></body>`);
        } else if (name.endsWith(".css")) {
          html = html.replace(new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`), () => `<style>${item.source}</style>`);
        } else {
          continue;
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [singleFile()],
  worker: { format: "iife" },
  build: { target: "es2022", cssCodeSplit: false, modulePreload: false, chunkSizeWarningLimit: 10000 },
});
