import * as v from "valibot";
import type { Target } from "../checks/check.ts";
import { CHECKS } from "../checks/mod.ts";
import type { Site } from "./config.ts";
import { givenKeys, isMap } from "./maps.ts";
import type { Problem } from "./problem.ts";
import { LATER_SHARED_KEYS, LATER_SITE_KEYS, SHARED_KEYS, SITE_KEYS } from "./site_keys.ts";
import { byteLength, SLUG_BYTES, slugOf } from "./slug.ts";
import { unknownKeys } from "./unknown_keys.ts";
import { found, type KeyProblem, keyProblem } from "./values.ts";

const COMMON = v.object({ ...SHARED_KEYS, ...SITE_KEYS });
const CHECK_KEYS = Object.values(CHECKS).flatMap(({ keys }) => Object.keys(keys));
const KNOWN = [COMMON.entries, LATER_SITE_KEYS, LATER_SHARED_KEYS].flatMap(Object.keys).concat(
  CHECK_KEYS,
);

/** A site, absent where a key of it is wrong, and what there is to say of it. */
export interface ReadSite {
  site?: Site;
  problems: Problem[];
}

/**
 * Reads the site at `index` of the list. `shared` are the keys set for all sites.
 *
 * Every wrong key is reported; a site with one is not monitored, the others are.
 */
export function readSite(
  input: unknown,
  index: number,
  shared: Readonly<Record<string, unknown>>,
): ReadSite {
  const path = ["sites", index];
  if (!isMap(input)) {
    return {
      problems: [
        error(path, {
          path: [],
          message: `expected a map with name and url, found ${found(input)}`,
        }),
      ],
    };
  }
  const own = givenKeys(input);
  const merged = { ...shared, ...own, ...mergedRetry(shared["retry"], own["retry"]) };
  const warnings = unknownKeys(own, KNOWN, path);
  const common = v.safeParse(COMMON, merged);
  const name = own["check"] ?? "http";
  const check = typeof name === "string" && Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  const problems: KeyProblem[] = common.success ? [] : common.issues.map(keyProblem);
  const target = common.success ? targetOf(common.output) : {
    ...UNREAD,
    ...(typeof own["url"] === "string" && own["url"] !== "" ? { url: own["url"] } : {}),
  };
  const reading = check?.read(target, merged);
  if (reading !== undefined && "problems" in reading) problems.push(...reading.problems);

  const slug = common.success ? common.output.slug ?? slugOf(String(own["name"])) : "";
  if (common.success && (slug === "" || byteLength(slug) > SLUG_BYTES)) {
    const why = slug === ""
      ? "gives no name for files"
      : `gives a name for files of over ${SLUG_BYTES} bytes`;
    problems.push({
      path: ["name"],
      message: `${found(own["name"])} ${why}; add a short slug: to this site`,
    });
  }
  const errors = problems.map((problem) => error(path, problem));
  if (!common.success || reading === undefined || !("probe" in reading) || errors.length > 0) {
    return { problems: [...errors, ...warnings] };
  }
  const method = typeof own["method"] === "string" ? own["method"].toUpperCase() : undefined;
  const site = { ...common.output, ...targetOf(common.output), slug, method, probe: reading.probe };
  return { site, problems: warnings };
}

/** Stands in while the keys of a check are read of a site whose own keys are wrong. */
const UNREAD: Target = { url: "$UNREAD", connectTimeout: 0, requestTimeout: 0 };

/** Milliseconds that a request may take beyond the time after which it counts as slow. */
const GRACE = 10_000;
const SHORTEST_REQUEST_TIMEOUT = 30_000;

function targetOf(
  { url, connectTimeout, requestTimeout, maxResponseTime }: v.InferOutput<typeof COMMON>,
): Target {
  return {
    url,
    connectTimeout,
    requestTimeout: requestTimeout ?? Math.max(SHORTEST_REQUEST_TIMEOUT, maxResponseTime + GRACE),
  };
}

function error(path: Problem["path"], problem: KeyProblem): Problem {
  return { severity: "error", path: [...path, ...problem.path], message: problem.message };
}

/** A site's `retry` changes only the keys it names. */
function mergedRetry(shared: unknown, own: unknown): Record<string, unknown> {
  if (own === undefined) return {};
  return { retry: isMap(shared) && isMap(own) ? { ...shared, ...own } : own };
}
