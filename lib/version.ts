import manifest from "../deno.json" with { type: "json" };

/** Version of this program, as released. */
export const VERSION = manifest.version;

/** What the `generator` of a history record names. */
export const GENERATOR = `monitor-action v${VERSION}`;
