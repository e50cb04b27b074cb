import * as v from "valibot";
import { plainText } from "../../text/plain_text.ts";
import {
  about,
  expected,
  integer,
  names,
  optional,
  pattern,
  textOrNumber,
  word,
} from "./values.ts";
import { runnerLabels } from "./workflow_keys.ts";

/** Word of a site's `locations` for the first two Globalping locations, which no location is named after. */
export const GLOBALPING = "globalping";

/** Names with a meaning: in the checks log `upptime` marks imported checks. */
const TAKEN_NAMES: readonly string[] = [GLOBALPING, "upptime"];

export const LOCATION_KEYS = {
  name: about(
    "Display name, which `locations` of sites refer to.",
    v.pipe(
      textOrNumber("a name"),
      v.transform(plainText),
      v.check((name) => name !== "" && !TAKEN_NAMES.includes(name.toLowerCase()), isNamed),
    ),
  ),
  runner: optional(
    "Label of the runner that checks from there, or a list of labels including self-hosted.",
    runnerLabels(),
  ),
  globalping: optional(
    "Place of a Globalping probe, such as Frankfurt, Germany+Hetzner or AS13335.",
    v.pipe(
      pattern(
        /^[^,\p{C}]*[^,\s\p{C}][^,\p{C}]*$/u,
        "one place without a comma (Paris+FR narrows it down; each further place is a location of its own)",
      ),
      // The limits of Globalping's API.
      v.regex(
        /^(?=.{1,128}$)[^+]*(?:\+[^+]*){0,3}$/,
        expected("at most 128 characters and 4 parts"),
      ),
    ),
  ),
};

function isNamed(issue: v.BaseIssue<unknown>): string {
  const names = TAKEN_NAMES.map((name) => `"${name}"`).join(" and ");
  return expected(`a name other than ${names}`)(issue);
}

export const SITE_LOCATION_KEYS = {
  locations: optional(
    "Locations that check the site; `globalping` for the first two of Globalping, [] for none. Default: all locations with a runner.",
    names("a location"),
  ),
  quorum: optional(
    "How many locations must see the site down. Default: more than half.",
    integer(1, 1000),
  ),
  partial: optional(
    "State of a site that fewer locations than the quorum see down: degraded, or ignore to keep it up.",
    word(["degraded", "ignore"]),
    "degraded",
  ),
};

/** A number of locations, or an older form of it: `all`, `any`, `2/3`, `0.5`, `50%` or a number in quotes. */
export type Quorum = number | string;

const EXPECTED = expected("a whole number from 1 to 1000");
const OLD_QUORUM = v.union([
  v.pipe(v.number(EXPECTED), v.gtValue(0, EXPECTED), v.ltValue(1, EXPECTED)),
  v.pipe(v.string(EXPECTED), v.regex(/^\s*(?!0[0.]*%)(?:100|\d\d?(?:\.\d+)?)%\s*$/, EXPECTED)),
  v.pipe(
    v.string(EXPECTED),
    v.regex(/^\s*(?:all|any|[1-9]\d{0,2}(?:\s*\/\s*[1-9]\d{0,2})?)\s*$/i, EXPECTED),
  ),
], EXPECTED);

/** The key `quorum` as it is read. */
export const ANY_QUORUM = {
  quorum: v.optional(v.union([integer(1, 1000), OLD_QUORUM], EXPECTED)),
};

export function isOldQuorum(quorum: unknown): quorum is Quorum {
  return v.is(OLD_QUORUM, quorum);
}

/**
 * Computes how many of `count` locations a quorum needs, at least one; `undefined` is more than half. A number may
 * exceed the count.
 */
export function countQuorum(quorum: Quorum | undefined, count: number): number {
  if (quorum === undefined) return Math.floor(count / 2) + 1;
  const text = String(quorum).trim().toLowerCase();
  if (text === "all" || text === "any") return text === "any" ? 1 : Math.max(1, count);
  const [number = 1, of] = text.split("/").map((part) => Number.parseFloat(part));
  const whole = of ?? (text.endsWith("%") ? 100 : 1);
  if (whole === 1 && number >= 1) return number;
  // 0.07 * 100 is a little more than 7.
  return Math.max(1, Math.ceil(number / whole * count - 1e-9));
}
