import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { schemaAddress } from "../version.ts";

export type { JsonSchema };

/** What values that a schema reads look like, as a JSON Schema of draft 7. */
export function jsonSchemaOf(source: GenericSchema): JsonSchema {
  return toJsonSchema(source, { typeMode: "input", errorMode: "ignore" });
}

/** The JSON Schema of a file that other programs are given; `name` is that of the schema. */
export function publishedSchema(
  name: string,
  { source, ...about }: { source: GenericSchema; title: string; description: string },
): JsonSchema {
  const { $schema, ...rest } = jsonSchemaOf(source);
  return { $schema, $id: schemaAddress(name), ...about, ...rest };
}
