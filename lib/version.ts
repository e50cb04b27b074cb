import manifest from "../deno.json" with { type: "json" };

/** Version of this program, as released. */
export const VERSION = manifest.version;

/** The program, as a history record names it. */
export const PROGRAM = "monitor-action";

/** What the `generator` of a history record says. */
export const GENERATOR = `${PROGRAM} v${VERSION}`;

/** Where editors find the JSON Schema of this version. */
export const SCHEMA_ADDRESS =
  `https://raw.githubusercontent.com/monitor-action/monitor-action/v${VERSION}/schema/monitorrc.schema.json`;
