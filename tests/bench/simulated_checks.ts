import type { Site } from "../../lib/config/config.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { normal, type Random } from "../helpers/seeded_random.ts";

/** Runs in a year of checks every five minutes. */
export const YEAR_OF_RUNS = 105_120;

const ERRORS = [
  "no answer within 30000 ms",
  "connection refused (203.0.113.7:443)",
  "expected status 200-399, found 503 Service Unavailable",
  "expected status 200-399, found 502 Bad Gateway",
  "the name could not be resolved: shop.example.com",
  "the certificate has expired on 2026-03-01T12:00:00.000Z",
];

/** Chances in a run: of an outage of a site, of a slow spell, of an attempt that fails alone, of trouble of our own. */
const CHANCES = {
  outage: 5 / YEAR_OF_RUNS,
  spell: 10 / YEAR_OF_RUNS,
  hiccup: 1 / 400,
  trouble: 20 / YEAR_OF_RUNS,
};

/** The properties of a site and of its troubles. */
interface Subject {
  site: Site;
  /** Response time in milliseconds, outside of the rush hours. */
  base: number;
  /** How far the logarithm of a time lies off that of the base. */
  noise: number;
  /** Hour of the day at which it is slowest. */
  peak: number;
  /** True if its outages have a status code. */
  ill?: { state: "down" | "degraded"; error: string; code: number; left: number };
}

/** Turns the start of a run into its results; each site has its own times and troubles. */
export function simulatedChecks(
  sites: readonly Site[],
  random: Random,
): (time: Temporal.Instant) => ProbeResult[] {
  const subjects = sites.map((site): Subject => ({
    site,
    base: Math.exp(normal(random, Math.log(150), 0.7)),
    noise: 0.08 + 0.25 * random(),
    peak: 24 * random(),
  }));
  return (time) => {
    const hour = time.epochMilliseconds / 3_600_000 % 24;
    const isOurs = random() < CHANCES.trouble;
    return subjects.map((subject) => {
      const began = time.add({ milliseconds: Math.round(50 + 400 * random()) });
      const { site } = subject;
      if (isOurs) {
        const error = "the check itself failed: the network is unreachable";
        return { site, state: "unknown", code: 0, attempts: 1, error, began, confirmed: began };
      }
      return checked(subject, { hour, began, random });
    });
  };
}

function checked(
  subject: Subject,
  { hour, began, random }: { hour: number; began: Temporal.Instant; random: Random },
): ProbeResult {
  const { site, base, noise, peak } = subject;
  const isNew = subject.ill === undefined;
  subject.ill ??= fallIll(random);
  const { ill } = subject;
  if (ill !== undefined && --ill.left === 0) subject.ill = undefined;
  if (ill?.state === "down") {
    const attempts = isNew ? 3 : 1;
    const confirmed = began.add({ seconds: isNew ? 31 : 1 });
    return { site, state: "down", code: ill.code, attempts, error: ill.error, began, confirmed };
  }
  const daily = 0.12 * Math.cos((hour - peak) / 24 * 2 * Math.PI);
  const slowness = ill === undefined ? 1 : 40;
  const total = slowness * base * Math.exp(daily + normal(random, 0, noise));
  const shares = [0.05, 0.15, 0.25, 0.45, 0.1].map((share) => share * (0.7 + 0.6 * random()));
  const sum = shares.reduce((a, b) => a + b);
  const [dns, connect, tls, ttfb, download] = shares.map((share) => total * share / sum);
  return {
    site,
    state: ill?.state ?? "up",
    code: 200,
    responseTime: total,
    phases: { dns: dns!, connect: connect!, tls: tls!, ttfb: ttfb!, download: download! },
    attempts: random() < CHANCES.hiccup ? 2 : 1,
    error: ill === undefined
      ? undefined
      : `answered after ${Math.round(total)} ms, slower than the 5000 ms allowed`,
    began,
    confirmed: began,
  };
}

function fallIll(random: Random): Subject["ill"] {
  const chance = random();
  if (chance >= CHANCES.outage + CHANCES.spell) return undefined;
  // Half of them are over in a quarter of an hour, and few last for a day.
  const left = Math.ceil(Math.exp(normal(random, Math.log(3), 1.3)));
  if (chance >= CHANCES.outage) return { state: "degraded", error: "", code: 200, left };
  const error = ERRORS[Math.floor(ERRORS.length * random())]!;
  return { state: "down", error, code: Number(/found (\d+)/.exec(error)?.[1] ?? 0), left };
}
