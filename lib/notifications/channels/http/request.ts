/** A request of a channel, as it is sent or, with secrets by their names, shown. */
export interface HttpRequest {
  method: string;
  address: string;
  /** Parameters that are set in the query of the address, beside those it has. */
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** What people should know where it is taken. */
  note?: string;
  /** What to send instead, where the answer asks for that. */
  otherwise?(answer: HttpAnswer): HttpRequest | undefined;
}

/** What came back. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Its beginning, as far as anyone looks at it. */
  body: string;
}

/** The body of an answer as JSON; `undefined` where it is none. */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What stands at a path in a value of JSON; `undefined` where nothing does. */
export function within(value: unknown, ...path: string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );
}
