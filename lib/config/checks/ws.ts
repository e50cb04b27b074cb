import { found } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import {
  addressProblem,
  EXPECT_KEY,
  expectations,
  ROUTE_KEYS,
  TLS_KEYS,
} from "./connection_keys.ts";
import { REQUEST_KEYS } from "./request_keys.ts";

const { headers, body } = REQUEST_KEYS;

export const ws = checkKind(
  "ws",
  { headers, body, ...EXPECT_KEY, ...TLS_KEYS, ...ROUTE_KEYS },
  (site) => {
    const wrong = expectations(site).find((text) => parseExpectation(text) === undefined);
    if (wrong !== undefined) {
      return { path: ["expect"], message: `expected a regular expression, found ${found(wrong)}` };
    }
    return addressProblem("ws", site);
  },
);

/** A text that an answer must contain, or a regular expression that must match it. */
type Expectation = { text: string } | { source: string; flags: string };

/** Parses `expect`; `undefined` if a text between slashes is no regular expression. */
export function parseExpectation(text: string): Expectation | undefined {
  const [, source, flags = ""] = /^\/(.+)\/([dimsuv]*)$/s.exec(text) ?? [];
  if (source === undefined) return { text };
  try {
    new RegExp(source, flags);
  } catch {
    return undefined;
  }
  return { source, flags };
}
