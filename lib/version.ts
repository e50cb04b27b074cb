import manifest from "../deno.json" with { type: "json" };

/** Repository of the action on GitHub; a fork changes its name here. */
export const ACTION_REPOSITORY = "monitor-action/monitor-action";

export const VERSION = manifest.version;

/** URL of the docs of this version. */
export const DOCS = `https://github.com/${ACTION_REPOSITORY}/blob/v${VERSION}/docs`;

export const PROGRAM = "monitor-action";

/** Value of `generator` in a history record. */
export const GENERATOR = `${PROGRAM} v${VERSION}`;

/** URL of a JSON Schema of this version, for editors and other programs. */
export function schemaAddress(name: string): string {
  return `https://raw.githubusercontent.com/${ACTION_REPOSITORY}/v${VERSION}/schema/${name}.schema.json`;
}

/** URL of the JSON Schema of the configuration. */
export const SCHEMA_ADDRESS = schemaAddress("monitorrc");
