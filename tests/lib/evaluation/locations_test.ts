import { assertEquals } from "@std/assert";
import {
  combineLocations,
  type LocationPart,
  markUsed,
} from "../../../lib/evaluation/locations.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";
import fc, { runs } from "../../helpers/property.ts";

const NAMES = ["Virginia", "Frankfurt", "São Paulo", "Tokyo", "Oslo"];
const NOW = Temporal.Instant.from("2026-11-23T10:05:00Z");

async function siteAt(count: number, keys: Keys = {}) {
  const locations = NAMES.slice(0, count).map((name) => ({ name, runner: "self-hosted" }));
  const { sites: [site] } = await configOf([{ url: "https://shop.example", ...keys }], {
    locations,
  });
  return site!;
}

const SITE = await siteAt(3);

function result(state: ProbeResult["state"], more: Partial<ProbeResult> = {}): ProbeResult {
  return {
    site: SITE,
    state,
    code: state === "down" || state === "unknown" ? 0 : 200,
    attempts: state === "down" ? 3 : 1,
    ...state === "up" || state === "degraded" ? { responseTime: 100 } : {},
    ...state === "down" ? { error: "timed out after 30 s" } : {},
    ...state === "degraded" ? { error: "answered after 9 s" } : {},
    ...state === "unknown" ? { error: "the secret KEY is missing" } : {},
    began: NOW,
    confirmed: NOW,
    ...more,
  };
}

type Vote = ProbeResult["state"] | "missing";

function part(vote: Vote, index: number, more: Partial<ProbeResult> = {}): LocationPart {
  const location = NAMES[index]!;
  return vote === "missing"
    ? { location, missing: "it has sent nothing since 09:15 UTC", isNew: false }
    : { location, result: result(vote, more), isNew: true };
}

function combine(votes: readonly Vote[], site = SITE): ProbeResult {
  return combineLocations(site, votes.map((vote, index) => part(vote, index)), NOW);
}

Deno.test("a site is down if at least the quorum sees it down, and the error names who does", () => {
  const { state, error, code, attempts, responseTime } = combine(["up", "down", "down"]);
  assertEquals([state, code, attempts, responseTime], ["down", 0, 6, undefined]);
  assertEquals(
    error,
    "down in Frankfurt and São Paulo (up in Virginia): timed out after 30 s",
  );
  assertEquals(
    combine(["down", "missing", "down"]).error,
    "down in Virginia and São Paulo (no result from Frankfurt): timed out after 30 s",
  );
});

Deno.test("a site that fewer than the quorum see down is degraded, or up with a remark if they are ignored", async () => {
  const error = "down in Frankfurt (up in Virginia and São Paulo): timed out after 30 s";
  const partial = combine(["up", "down", "up"]);
  assertEquals([partial.state, partial.error, partial.responseTime], ["degraded", error, 100]);
  const ignored = combine(["up", "down", "up"], await siteAt(3, { partial: "ignore" }));
  assertEquals([ignored.state, ignored.error], ["up", error]);
});

Deno.test("a site is degraded if the quorum sees it slow, and up with a remark if fewer do", () => {
  const { state, error } = combine(["degraded", "up", "degraded"]);
  assertEquals(
    [state, error],
    [
      "degraded",
      "degraded in Virginia and São Paulo (up in Frankfurt): answered after 9 s",
    ],
  );
  assertEquals(combine(["degraded", "up", "up"]).state, "up");
});

Deno.test("a site without a quorum of results is unknown, and each location says why", () => {
  const { state, error, locations } = combine(["missing", "down", "unknown"]);
  assertEquals(
    [state, error],
    [
      "unknown",
      "only 1 of 3 locations has a result, 2 are needed; Virginia: it has sent nothing since 09:15 UTC, São Paulo: the secret KEY is missing",
    ],
  );
  assertEquals(locations!.map(({ state, isNew }) => [state, isNew]), [
    ["unknown", false],
    ["down", true],
    ["unknown", true],
  ]);
  assertEquals(
    combine(["missing", "missing", "missing"]).error!.slice(0, 52),
    "none of 3 locations has a result, 2 are needed; Virg",
  );
});

Deno.test("a location that reports the site down alone never makes it down, whatever it says", () => {
  for (const liar of [0, 1, 2]) {
    const votes = NAMES.slice(0, 3).map((_, index): Vote => index === liar ? "down" : "up");
    assertEquals(combine(votes).state, "degraded");
  }
});

Deno.test("the result of a single location is that of the site", async () => {
  const site = await siteAt(1);
  const own = { ...part("up", 0), result: result("up", { site, error: "a remark" }) };
  const { locations, ...rest } = combineLocations(site, [own], NOW);
  assertEquals(rest, own.result);
  assertEquals(locations?.map(({ location }) => location), ["Virginia"]);
  const missing = combineLocations(site, [part("missing", 0)], NOW);
  assertEquals(
    [missing.state, missing.error],
    ["unknown", "no result from Virginia: it has sent nothing since 09:15 UTC"],
  );
});

Deno.test("times: the median response, the moment at which the quorum saw the state, the latest confirmation", () => {
  const at = (seconds: number) => NOW.add({ seconds });
  const phases = { dns: 1, connect: 2, tls: 3, ttfb: 4, download: 5 };
  const { responseTime, began, confirmed, certificate, restUntil, phases: shown } =
    combineLocations(SITE, [
      part("up", 0, { responseTime: 400, began: at(-9), confirmed: at(7), certificate: at(900) }),
      part("up", 1, { responseTime: 90, began: at(-7), confirmed: at(9), restUntil: at(60) }),
      part("up", 2, {
        responseTime: 120,
        began: at(-8),
        confirmed: at(8),
        phases,
        certificate: at(800),
      }),
    ], NOW);
  assertEquals([responseTime, shown], [120, phases]);
  assertEquals([began, confirmed], [at(-8), at(9)]);
  assertEquals([certificate, restUntil], [at(800), undefined]);
  const asking = [60, 30, 90].map((minutes, index) =>
    part("up", index, { restUntil: at(minutes) })
  );
  assertEquals(combineLocations(SITE, asking, NOW).restUntil, at(60));
});

Deno.test("a result is repeated if all that shows its state was used before", () => {
  const parts = ["up", "down", "down"].map((vote, index) => part(vote as Vote, index));
  const [up, first, second] = parts as [LocationPart, LocationPart, LocationPart];
  const old = (one: LocationPart) => ({ ...one, isNew: false });
  const isRepeated = (...all: LocationPart[]) => combineLocations(SITE, all, NOW).isRepeated;
  assertEquals(isRepeated(up, old(first), old(second)), true);
  assertEquals(isRepeated(old(up), old(first), second), undefined);
  // The same if another run has used them only meanwhile.
  const sent = [up, first, second].map((one, index) => ({ ...one, results: `${index}` }));
  const joined = combineLocations(SITE, sent, NOW);
  const meanwhile = (...used: string[]) => markUsed(joined, (results) => used.includes(results));
  assertEquals(meanwhile("0", "1").isRepeated, undefined);
  const repeated = meanwhile("1", "2");
  assertEquals(repeated.isRepeated, true);
  assertEquals(repeated.locations!.map(({ isNew }) => isNew), [true, false, false]);
});

Deno.test("an address explains a failure only if no failing location reaches it", () => {
  const addresses = (reached: boolean) => ({ addresses: new Map([["db:5432", reached]]) });
  const found = (...reached: boolean[]) =>
    combineLocations(
      SITE,
      [part("up", 0), ...reached.map((one, index) => part("down", index + 1, addresses(one)))],
      NOW,
    ).addresses?.get("db:5432");
  assertEquals([found(false, false), found(false, true), found(true, false)], [false, true, true]);
});

/** The state by the rules of the docs, counted one by one. */
function oracle(votes: readonly Vote[], quorum: number, partial: string): string {
  let [down, unwell, counted] = [0, 0, 0];
  for (const vote of votes) {
    if (vote === "missing" || vote === "unknown") continue;
    counted++;
    if (vote === "down") down++;
    if (vote !== "up") unwell++;
  }
  if (votes.length > 1 && counted < quorum) return "unknown";
  if (votes.length === 1) return votes[0] === "missing" ? "unknown" : votes[0]!;
  if (down >= quorum) return "down";
  if (down > 0 && partial === "degraded") return "degraded";
  return unwell >= quorum ? "degraded" : "up";
}

const VOTE = fc.constantFrom<Vote>("up", "degraded", "down", "unknown", "missing");

Deno.test("any votes give the state that counting them gives, never down with fewer than the quorum", async () => {
  const sites = await Promise.all(NAMES.map((_, index) => siteAt(index + 1)));
  fc.assert(
    fc.property(
      fc.array(VOTE, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom<"degraded" | "ignore">("degraded", "ignore"),
      (votes, most, partial) => {
        const quorum = Math.min(most, votes.length);
        const site = { ...sites[votes.length - 1]!, quorum, partial };
        const { state, locations, error } = combine(votes, site);
        assertEquals(state, oracle(votes, quorum, partial));
        assertEquals(locations?.length, votes.length);
        if (state !== "up") assertEquals(typeof error, "string");
      },
    ),
    { numRuns: runs(200) },
  );
});

Deno.test("a worse vote never makes a better state", async () => {
  const site = await siteAt(5);
  const rank = { up: 0, degraded: 1, down: 2, unknown: 3 };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Vote>("up", "degraded", "down"), { minLength: 5, maxLength: 5 }),
      fc.nat({ max: 4 }),
      fc.constantFrom<"degraded" | "ignore">("degraded", "ignore"),
      fc.integer({ min: 1, max: 5 }),
      (votes, index, partial, quorum) => {
        const worse = votes.with(index, "down");
        const [before, after] = [votes, worse].map((all) =>
          rank[combine(all, { ...site, partial, quorum }).state]
        );
        assertEquals(after! >= before!, true);
      },
    ),
    { numRuns: runs(100) },
  );
});
