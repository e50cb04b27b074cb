import { Ajv } from "ajv";
import { assertEquals } from "@std/assert";
import { schemaFile } from "../../schema/generate.ts";

/** The keywords of a JSON Schema that tests use. */
export interface PublishedSchema {
  $id?: string;
  description?: string;
  properties?: Readonly<Record<string, PublishedSchema>>;
  items?: PublishedSchema;
}

/** A JSON Schema as other programs find it. */
export async function publishedSchema(
  name: Parameters<typeof schemaFile>[0],
): Promise<PublishedSchema> {
  return JSON.parse(await Deno.readTextFile(schemaFile(name)));
}

/** Asserts that a value is valid by a schema, and has only declared keys. */
export function assertKeepsTo(schema: PublishedSchema, value: unknown): void {
  const validate = new Ajv({ validateFormats: false }).compile(schema);
  validate(value);
  assertEquals(validate.errors, null);
  assertEquals(findUndeclared(value, schema), []);
}

function findUndeclared(value: unknown, { properties, items }: PublishedSchema): string[] {
  if (items !== undefined) return (value as unknown[]).flatMap((one) => findUndeclared(one, items));
  if (properties === undefined) return [];
  return Object.entries(value as object).flatMap(([key, own]) => {
    const schema = properties[key];
    return schema === undefined ? [key] : findUndeclared(own, schema);
  });
}
