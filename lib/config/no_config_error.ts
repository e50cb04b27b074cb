/** No configuration where one is expected, with the cure. */
export class NoConfigError extends Error {
  override readonly name = "NoConfigError";
}
