/**
 * Kinds of failure: `transient` ends by itself, `misconfigured` lasts until a person changes something, and
 * `permanent` is given up at once.
 */
export type ErrorKind = "transient" | "misconfigured" | "permanent";
