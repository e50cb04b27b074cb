import manifest from "../deno.json" with { type: "json" };

/** Version of this program, as released. */
export const VERSION = manifest.version;

/** The program, as a history record names it. */
export const PROGRAM = "monitor-action";

/** What the `generator` of a history record says. */
export const GENERATOR = `${PROGRAM} v${VERSION}`;

/** Where editors and other programs find a JSON Schema of this version, by its name. */
export function schemaAddress(name: string): string {
  return `https://raw.githubusercontent.com/monitor-action/monitor-action/v${VERSION}/schema/${name}.schema.json`;
}

/** Where they find that of a configuration. */
export const SCHEMA_ADDRESS = schemaAddress("monitorrc");
