// Where the server's program is.

import { delimiter, isAbsolute, join } from "node:path";

export interface Where {
  /** The setting `datasheet.server.path`; "" when it is not set. */
  path: string;
  home: string;
  env: Record<string, string | undefined>;
  platform: string;
  /** Whether a file is there and can be run. */
  runs(path: string): boolean;
}

export type Found = { command: string } | { problem: string };

const INSTALL = "pipx install datasheet-lsp";

/** The program that the setting names, else the first on the PATH or where pipx puts it. */
export function findServer(where: Where): Found {
  const windows = where.platform === "win32";
  const names = windows ? ["datasheet-lsp.exe"] : ["datasheet-lsp"];
  if (where.path) {
    const path = where.path.startsWith("~/") ? join(where.home, where.path.slice(2)) : where.path;
    if (isAbsolute(path)) {
      return where.runs(path)
        ? { command: path }
        : { problem: `datasheet.server.path is ${path}, and there is no program there: correct the setting, or clear it to use the one on the PATH.` };
    }
    names.unshift(path);
    names.length = 1;
  }
  const folders = (where.env["PATH"] ?? where.env["Path"] ?? "").split(delimiter).filter(Boolean);
  folders.push(join(where.home, ".local", "bin"));
  for (const folder of folders) {
    // A relative folder of the PATH would be one of the workspace: nothing is started from there.
    if (!isAbsolute(folder)) continue;
    for (const name of names) {
      const candidate = join(folder, name);
      if (where.runs(candidate)) return { command: candidate };
    }
  }
  return {
    problem: `${names[0]} was not found: install it (${INSTALL}), or set datasheet.server.path to it.`,
  };
}
