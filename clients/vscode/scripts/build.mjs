// The extension as one file, and its pure modules as they are tested.
import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const common = { bundle: true, platform: "node", target: "node18", logLevel: "warning" };

await build({
  ...common,
  entryPoints: [join(root, "src/extension.ts")],
  outfile: join(root, "dist/extension.cjs"),
  format: "cjs",
  external: ["vscode"],
  minify: process.argv.includes("--minify"),
});
await build({
  ...common,
  entryPoints: readdirSync(join(root, "src/pure")).map((name) => join(root, "src/pure", name)),
  outdir: join(root, "dist/pure"),
  format: "esm",
  outExtension: { ".js": ".mjs" },
});
