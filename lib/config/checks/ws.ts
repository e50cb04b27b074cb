import { found } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import {
  EXPECT_KEY,
  expectations,
  familyProblem,
  ROUTE_KEYS,
  TLS_KEYS,
  tlsProblem,
} from "./connection_keys.ts";
import { bareHost } from "./hosts.ts";
import { HTTP_KEYS } from "./http.ts";

const { headers, body } = HTTP_KEYS;

/** Keys of `ws`. */
export const ws = checkKind({
  keys: { headers, body, ...EXPECT_KEY, ...TLS_KEYS, ...ROUTE_KEYS },
  shared: [],
  findProblem(site) {
    const { url } = site;
    if (!/^(?:\$|wss?:\/\/.)/i.test(url)) {
      const message = `expected an address that begins with wss:// or ws://, found ${found(url)}`;
      return { path: ["url"], message };
    }
    const address = url.includes("$") ? undefined : URL.parse(url);
    if (address === null || address?.port === "0") {
      return { path: ["url"], message: `expected an address, found ${found(url)}` };
    }
    const wrong = expectations(site).find((text) => parseExpectation(text) === undefined);
    if (wrong !== undefined) {
      return { path: ["expect"], message: `expected a regular expression, found ${found(wrong)}` };
    }
    const shown = address === undefined ? undefined : bareHost(address);
    return tlsProblem(site) ?? familyProblem(shown, site);
  },
});

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
