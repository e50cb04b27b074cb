/** `transient` ends by itself, `misconfigured` once a person changes something, `permanent` is given up at once. */
export type ErrorKind = "transient" | "misconfigured" | "permanent";
