import type * as v from "valibot";

/** What a key takes where it is given, whether it has to be given or not. */
export function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  return isOptional(schema) ? unwrapped(schema.wrapped) : schema;
}

/** The keys of a map; `undefined` where a schema is of something else. */
export function entriesOf(schema: v.GenericSchema): v.ObjectEntries | undefined {
  return isObject(schema) ? schema.entries : undefined;
}

/** What stands in a list; `undefined` where a schema is of something else. */
export function itemOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  return isArray(schema) ? schema.item : undefined;
}

function isOptional(
  schema: v.GenericSchema,
): schema is v.OptionalSchema<v.GenericSchema, undefined> {
  return schema.type === "optional";
}

function isObject(schema: v.GenericSchema): schema is v.ObjectSchema<v.ObjectEntries, undefined> {
  return schema.type === "object";
}

function isArray(schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> {
  return schema.type === "array";
}
