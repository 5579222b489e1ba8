// The server's settings as those of VS Code: made from the server's schema, so that each is
// described once.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

/** The entries of `contributes.configuration.properties` for the server's schema. */
export function configuration(schema: Node): Record<string, Node> {
  const definitions = (schema["definitions"] ?? {}) as Record<string, Node>;
  const found: Record<string, Node> = {};
  walk(schema, "datasheet", found, definitions);
  return found;
}

function walk(node: Node, path: string, found: Record<string, Node>, definitions: Record<string, Node>): void {
  for (const [name, value] of Object.entries((node["properties"] ?? {}) as Record<string, Node>)) {
    const target = refers(value, definitions);
    if (target) {
      walk(target, `${path}.${name}`, found, definitions);
      continue;
    }
    found[`${path}.${name}`] = { ...(resolve(value, definitions) as Node), scope: "resource" };
  }
}

function refers(node: Node, definitions: Record<string, Node>): Node | undefined {
  const reference = node["$ref"];
  return typeof reference === "string" ? definitions[reference.split("/").at(-1)!] : undefined;
}

/** A value of the schema with what it refers to put in its place. */
function resolve(value: Json, definitions: Record<string, Node>): Json {
  if (Array.isArray(value)) return value.map((each) => resolve(each, definitions));
  if (value === null || typeof value !== "object") return value;
  const target = refers(value, definitions);
  if (target) {
    const { $ref: _, ...rest } = value;
    return { ...(resolve(target, definitions) as Node), ...(resolve(rest, definitions) as Node) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, definitions)]));
}

/** What the server is sent: without the keys that are this client's own. */
export function forServer(section: unknown): unknown {
  if (section === null || typeof section !== "object" || Array.isArray(section)) return section;
  const { server: _server, trace: _trace, ...rest } = section as Record<string, unknown>;
  return rest;
}
