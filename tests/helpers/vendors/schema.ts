import { Ajv, type AnySchema } from "ajv";

const AJV = new Ajv({ strict: false, allErrors: true });

/** Fails with every violation if a value is invalid by a schema. */
export function schema(description: AnySchema): (value: unknown) => void {
  const validate = AJV.compile(description);
  return (value) => {
    if (validate(value)) return;
    throw new Error(`${AJV.errorsText(validate.errors)}\n${JSON.stringify(value, null, 2)}`);
  };
}

/** An object with these keys and no others; those that end in `?` may be absent. */
export function object(properties: Record<string, AnySchema>) {
  const entries = Object.entries(properties)
    .map(([key, value]) => [key.replace(/\?$/, ""), value]);
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: Object.keys(properties).filter((key) => !key.endsWith("?")),
    additionalProperties: false,
  };
}

/** A text of a length in characters. */
export function text(maxLength: number, minLength = 1) {
  return { type: "string", minLength, maxLength };
}

/** A list of at most so many. */
export function list(items: AnySchema, maxItems: number, minItems = 0) {
  return { type: "array", items, maxItems, minItems };
}

/** An http or https address. */
export const ADDRESS = { type: "string", pattern: "^https?://[^\\s]+$", maxLength: 3000 };
