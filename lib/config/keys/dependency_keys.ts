import * as v from "valibot";
import { about, expected, text } from "./values.ts";

/** The key that says what a site depends on. */
export const DEPENDENCY_KEYS = {
  dependsOn: v.optional(
    about(
      "Sites (name or slug) or host:port addresses it depends on; one or a list.",
      dependencies(),
    ),
    [],
  ),
};

function dependencies() {
  const what = "the name of a site or host:port";
  const one = v.union([text(what), v.number()], expected(what));
  const message = expected(`${what}, or a list of these`);
  return v.pipe(
    v.union([text(what), v.number(), v.array(one)], message),
    v.transform((written) => [written].flat().map(String)),
  );
}
