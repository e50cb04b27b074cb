import { UsageError } from "../../text/arguments.ts";

/** A README that can't be filled, with the cure. */
export class ReadmeError extends UsageError {
  override readonly name = "UsageError";
}
