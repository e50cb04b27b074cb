import * as v from "valibot";
import { expected } from "./values.ts";

/** A time zone that the runtime knows. */
export function timezone() {
  const message = expected("a time zone such as Europe/Berlin");
  return v.pipe(v.string(message), v.check(isTimezone, message));
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
