import { http } from "../config/checks/http.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { isMap } from "../config/document.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import { parseJson } from "../text/safe_parse.ts";
import { describeDuration, isBefore, MINUTE, utcMinute } from "../time.ts";
import { ask } from "./http/ask.ts";
import { statusWords } from "./network_failure.ts";
import type { Observation, Probe } from "./observation.ts";

type MonitorSite = CheckSettings<"monitor">;

/** Milliseconds by which the clocks of two machines may differ. */
const SKEW = 10 * MINUTE;
const [MOST_NAMES, LONGEST_NAME] = [3, 60];
const RATE_LIMITED = 429;

/** Fetches the summary of another monitor, and evaluates how old its last check is. */
export const monitor: Probe<MonitorSite> = async (site, context) => {
  const { url, connectTimeout, requestTimeout, userAgent, headers } = site;
  const { insecure, ca, clientCertificate, clientKey, ipv4, ipv6, proxy } = site;
  const hasOwn = headers.some((line) => /^\s*cache-control\s*:/i.test(line));
  const { target } = http.read({ url, connectTimeout, requestTimeout, userAgent }, {
    headers: [...headers, ...hasOwn ? [] : ["Cache-Control: no-cache"]],
    ...{ insecure, ca, clientCertificate, clientKey, ipv4, ipv6, proxy },
  });
  const { observation, answer } = await ask(target!, context, { keepsBody: true });
  if (answer?.status === RATE_LIMITED) {
    const reason = `${statusWords(RATE_LIMITED)}: nothing is known of the other monitor`;
    return { ...observation, failure: { kind: "configuration", reason }, remark: undefined };
  }
  if (answer === undefined || observation.failure !== undefined) return observation;
  const { found, ...evaluated } = evaluateSummary(answer, site, context.now);
  const answers = found === undefined || answer.isInternal ? {} : { answers: [found] };
  return { ...observation, ...evaluated, details: { ...observation.details!, ...answers } };
};

interface EvaluatedSummary extends Pick<Observation, "failure" | "degradation" | "remark"> {
  /** Sites and last check in words; absent if it is no summary. */
  found?: string;
}

/**
 * Evaluates the `summary.json` of another monitor; Upptime's has no times, so its age is not known. Of one that
 * was cut off, the sites before the cut count.
 */
export function evaluateSummary(
  { body, isCut }: { body: string; isCut: boolean },
  { maxAge, sitesDown }: Pick<MonitorSite, "maxAge" | "sitesDown">,
  now: Temporal.Instant,
): EvaluatedSummary {
  const sites = parseSites(isCut ? completeSites(body) : body);
  if (sites === undefined) {
    const part = isCut ? "the first MiB of the answer" : "the answer";
    return fail(`${part} is not a summary.json of Monitor Action or Upptime`);
  }
  const count = `${sites.length}${isCut ? " or more" : ""} site${sites.length === 1 ? "" : "s"}`;
  if (sites.length === 0) return { ...fail("it monitors no site"), found: count };
  const times = sites.flatMap(({ lastUpdated }) => lastUpdated ?? []);
  const latest = now.add({ milliseconds: SKEW });
  const past = times.filter((time) => !isBefore(latest, time)).sort(Temporal.Instant.compare);
  const last = past.at(-1);
  if (last === undefined) {
    const found = `${count}, without the time of a check`;
    if (times.length > 0) {
      return { ...fail(`its last check is in the future (${utcMinute(times[0]!)} UTC)`), found };
    }
    if (sites.some(({ isOurs }) => isOurs)) {
      return { ...fail("it has not checked any site yet"), found };
    }
    return { ...evaluateSites(sites, sitesDown), found };
  }
  const age = now.epochMilliseconds - last.epochMilliseconds;
  const found = `${count}, last checked ${utcMinute(last)} UTC`;
  if (age > maxAge) {
    const reason = `its last check was ${describeDuration(age)} ago (${utcMinute(last)} UTC)`;
    return { ...fail(reason), found };
  }
  return { ...evaluateSites(sites, sitesDown), found };
}

function fail(reason: string): Pick<Observation, "failure"> {
  return { failure: { kind: "answer", reason } };
}

/** A site in the summary of another monitor, which may be one of Upptime. */
interface OtherSite {
  name: string;
  isDown: boolean;
  lastUpdated?: Temporal.Instant;
  isOurs: boolean;
}

function evaluateSites(
  sites: readonly OtherSite[],
  sitesDown: MonitorSite["sitesDown"],
): Pick<Observation, "failure" | "degradation"> {
  const down = sites.filter(({ isDown }) => isDown);
  const count = down.length;
  if (sitesDown === "ignore" || count === 0) return {};
  const names = down.slice(0, MOST_NAMES)
    .map(({ name }) => shorten(plainText(name), LONGEST_NAME));
  const rest = count - names.length;
  const reason = `${count} of its sites ${count === 1 ? "is" : "are"} down: ${names.join(", ")}${
    rest > 0 ? ` and ${rest} more` : ""
  }`;
  return sitesDown === "down" ? fail(reason) : { degradation: reason };
}

/** Parses the sites of a summary; `undefined` if it is none. Entries that can't be read are left out. */
function parseSites(text: string): OtherSite[] | undefined {
  const entries = parseJson(text.replace(/^\ufeff/, ""));
  if (!Array.isArray(entries)) return undefined;
  const sites = entries.flatMap((entry): OtherSite[] => {
    if (!isMap(entry) || typeof entry.slug !== "string" || typeof entry.status !== "string") {
      return [];
    }
    const { name, slug, status, state, lastUpdated } = entry;
    return [{
      name: typeof name === "string" ? name : slug,
      isDown: (state ?? status) === "down",
      lastUpdated: parseTime(lastUpdated),
      isOurs: state !== undefined,
    }];
  });
  return sites.length === 0 && entries.length > 0 ? undefined : sites;
}

function parseTime(value: unknown): Temporal.Instant | undefined {
  try {
    return typeof value === "string" ? Temporal.Instant.from(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The start of a summary up to its last complete entry, as our own and Upptime's files are indented. */
function completeSites(start: string): string {
  return `${start.slice(0, start.lastIndexOf("\n  },") + "\n  }".length)}]`;
}
