// Writes the server's settings into package.json. Run after `npm run build`, whenever the server's
// schema has changed; with --check it only says whether they are the same.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configuration } from "../dist/pure/settings.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const schema = join(root, "../../server/datasheet_lsp/workspace/datasheet.schema.json");
const file = join(root, "package.json");
const manifest = JSON.parse(readFileSync(file, "utf8"));
const properties = {
  "datasheet.server.path": {
    type: "string",
    default: "",
    scope: "machine",
    description: "The datasheet-lsp program. Empty: the one on the PATH, or where pipx puts it.",
  },
  "datasheet.trace.server": {
    type: "string",
    enum: ["off", "messages", "verbose"],
    default: "off",
    scope: "window",
    description: "Whether the messages between VS Code and the server are written to the output.",
  },
  ...configuration(JSON.parse(readFileSync(schema, "utf8"))),
};
manifest.contributes = { ...manifest.contributes, configuration: { title: "Datasheet", properties } };
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("package.json has not the settings of the server's schema: npm run settings");
  process.exit(1);
}
