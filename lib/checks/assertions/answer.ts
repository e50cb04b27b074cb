/** What assertions look at of an answer. */
export interface Answer {
  status: number;
  /** Whole milliseconds. */
  responseTime: number;
  /** Names in small letters. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty where no assertion needs it. */
  body: string;
  /** Whether the body goes on after what was read of it. */
  isCut: boolean;
  /** Milliseconds until the certificate expires, negative once it has; absent without TLS. */
  certificate?: number;
  /** True if a public address redirected to a private one: nothing of the answer may be published. */
  isInternal?: boolean;
}

/** A value of an answer, or why there is none. */
export type Sight =
  | { values: Value[] }
  | { lacking: string; /** Whether nothing being there is an answer. */ absent: boolean };

/** One value that a test is made of. */
export interface Value {
  value: unknown;
  /** Where it was found, where that is not clear. */
  path?: string;
}
