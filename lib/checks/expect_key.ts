import * as v from "valibot";
import { about, expected, list, text } from "../config/keys/values.ts";

const TEXT_OR_LIST = "a text or a list of texts";

/** What an answer has to be. */
export const EXPECT_KEY = {
  expect: v.optional(
    about(
      "dns: records the answer must contain; ws: text or /regular expression/ to find in a message.",
      v.union([
        text(TEXT_OR_LIST),
        v.pipe(
          list(text(), TEXT_OR_LIST),
          v.nonEmpty("expected at least one text"),
        ),
      ], expected(TEXT_OR_LIST)),
    ),
  ),
};

/** What is expected, as a list. */
export function expectations({ expect = [] }: { expect?: string | string[] }): string[] {
  return [expect].flat();
}
