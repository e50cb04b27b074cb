import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { formatCondition } from "../../templates/words.ts";
import { outageSince } from "../helpers/outage.ts";
import { NOW, outcomeOf, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { commitAuthor, commitMessage, filesMessage } from "../../templates/commit_message.ts";

const SITE = await siteNamed("Shop");

function incident(more: Partial<Incident>): Incident {
  return outageSince(NOW, { confirmed: NOW.add({ seconds: 31 }), ...more });
}

Deno.test("a condition shows state, reason, start, and the attempts that confirmed it", () => {
  const down = resultOf(SITE, "down", { error: "connection refused" });
  const yesterday = NOW.subtract({ hours: 12 });
  const cases: [outcome: Outcome, text: string][] = [
    [
      { result: down, since: NOW, open: incident({}) },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s",
    ],
    [
      { result: resultOf(SITE, "down"), since: yesterday, open: incident({ attempts: 1 }) },
      "down (connection refused, 203.0.113.7:443) since 2026-11-20 22:05 UTC",
    ],
    [
      {
        result: down,
        since: NOW,
        open: incident({ confirmed: NOW.add({ minutes: 10, seconds: 30 }) }),
      },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 10 minutes 30 seconds",
    ],
    [
      // Degraded since before, and down since.
      { result: down, since: NOW, open: incident({ start: NOW.subtract({ minutes: 10 }) }) },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s",
    ],
    [
      // An incident that was kept while the site was flapping.
      { result: down, since: NOW.add({ minutes: 5 }), open: incident({}) },
      "down (connection refused) since 10:10 UTC",
    ],
    [
      { result: { ...down, flapping: true }, since: NOW, open: incident({ attempts: 1 }) },
      "down (connection refused) since 10:05 UTC, flapping",
    ],
    [{ result: resultOf(SITE, "up"), since: NOW }, "up since 10:05 UTC"],
    [
      { result: resultOf(SITE, "degraded", { error: "slow" }), since: NOW, open: incident({}) },
      "degraded (slow) since 10:05 UTC",
    ],
    [
      {
        result: resultOf(SITE, "down", {
          error: "down in Rome and Oslo (up in Bonn): connection refused (203.0.113.7:443)",
        }),
        since: NOW,
        open: incident({}),
      },
      "down in Rome and Oslo (up in Bonn): connection refused (203.0.113.7:443), since 10:05 UTC, confirmed by 3 attempts over 31 s",
    ],
    [
      {
        result: resultOf(SITE, "degraded", { error: "down in Rome (up in Bonn and Oslo): reset" }),
        since: NOW,
      },
      "degraded, down in Rome (up in Bonn and Oslo): reset, since 10:05 UTC",
    ],
    [
      {
        result: resultOf(SITE, "up", {
          error: "failing, 1 of 2 runs: down in Rome and Oslo (up in Bonn): reset",
        }),
        since: NOW,
      },
      "up: failing, 1 of 2 runs: down in Rome and Oslo (up in Bonn): reset, since 10:05 UTC",
    ],
    [
      {
        result: resultOf(SITE, "unknown", {
          error: "1 result is missing; Bonn: asleep (again), Rome",
        }),
      },
      "unknown: 1 result is missing; Bonn: asleep (again), Rome",
    ],
    [
      { result: resultOf(SITE, "unknown", { error: "$KEY is not there" }), since: NOW },
      "unknown ($KEY is not there)",
    ],
  ];
  for (const [outcome, text] of cases) assertEquals(formatCondition(outcome), text);
});

async function texts(keys: object = {}) {
  return (await parseConfig(JSON.stringify({ sites: [], ...keys }))).config!;
}

function messageOf(outcomes: Outcome[], texts: Parameters<typeof commitMessage>[1]): string {
  return commitMessage({ outcomes, maintenance: [] }, texts);
}

Deno.test("the commit message describes a change in Upptime's words", async () => {
  const site = await siteNamed("Shop");
  const cases = [
    ["up", "down", "🟥 Shop is down [skip ci]"],
    ["down", "up", "🟩 Shop is up (200 in 123 ms) [skip ci]"],
    ["up", "degraded", "🟨 Shop is degraded (200 in 123 ms) [skip ci]"],
    [undefined, "down", "🟥 Shop is down [skip ci]"],
    [undefined, "up", "Check 1 site: 1 up [skip ci]"],
    ["down", "down", "Check 1 site: 1 down [skip ci]"],
  ] as const;
  for (const [from, to, expected] of cases) {
    assertEquals(messageOf([outcomeOf(resultOf(site, to), from)], await texts()), expected);
  }
});

Deno.test("the commit message leaves out a code and a time that are 0, also with Upptime's template", async () => {
  const site = await siteNamed("Shop");
  const template =
    "$PREFIX $SITE_NAME is $STATUS ($RESPONSE_CODE in $RESPONSE_TIME ms) [x] [skip ci]";
  const cases = [
    ["down", { code: 503 }, "is down (503)"],
    ["down", { code: 0 }, "is down"],
    ["up", { code: 200, responseTime: undefined }, "is up (200)"],
    ["up", { code: 0, responseTime: 12.4 }, "is up (12 ms)"],
    ["up", { code: 200, responseTime: 0.4 }, "is up (200)"],
    ["degraded", { code: 200, responseTime: 1500 }, "is degraded (200 in 1500 ms)"],
  ] as const;
  for (const [to, result, expected] of cases) {
    const outcome = outcomeOf(resultOf(site, to, result), to === "up" ? "down" : "up");
    const own = { commitMessages: { statusChange: template } };
    assertStringIncludes(messageOf([outcome], await texts()), `Shop ${expected} [skip ci]`);
    assertStringIncludes(messageOf([outcome], await texts(own)), `Shop ${expected} [x] [skip ci]`);
  }
  const own = { commitMessages: { statusChange: "$STATUS: $RESPONSE_CODE, $RESPONSE_TIME" } };
  const outcome = outcomeOf(resultOf(site, "down"), "up");
  assertEquals(messageOf([outcome], await texts(own)), "down: 0, 0 [skip ci]");
});

Deno.test("the commit message of several changes lists them all below the first", async () => {
  const outcomes = [
    outcomeOf(resultOf(await siteNamed("A"), "down"), "up"),
    outcomeOf(resultOf(await siteNamed("B"), "up"), "down"),
  ];
  assertEquals(
    messageOf(outcomes, await texts()),
    "🟥 A is down and 1 more [skip ci]\n\n🟥 A is down\n🟩 B is up (200 in 123 ms)",
  );
});

Deno.test("the commit message takes its words from the configuration and always skips workflows", async () => {
  const keys = {
    commitMessages: {
      statusChange: "$EMOJI $SITE_NAME ($SITE_METHOD $SITE_URL): $STATUS $UNKNOWN [skip ci] [mine]",
    },
    commitPrefixStatusDown: "!!",
  };
  const outcome = outcomeOf(resultOf(await siteNamed("$STATUS"), "down"), "up");
  assertEquals(
    messageOf([outcome], await texts(keys)),
    "!! $STATUS (GET https://example.com/): down $UNKNOWN  [mine] [skip ci]",
  );
});

Deno.test("a site's name in a commit message mentions nobody and closes no issue", async () => {
  const outcome = outcomeOf(resultOf(await siteNamed("fixes #12 @jo"), "down"), "up");
  assertEquals(
    messageOf([outcome], await texts()),
    "🟥 fixes #\u200b12 @\u200bjo is down [skip ci]",
  );
});

Deno.test("the author of commits is configurable", async () => {
  const { commitMessages } = await texts({
    commitMessages: { commitAuthorName: "Bot", commitAuthorEmail: "b@example.com" },
  });
  assertEquals(commitAuthor({ commitMessages }), {
    name: "Bot",
    email: "b@example.com",
    signsOff: undefined,
  });
});

Deno.test("the commit message of graphs is the user's, and starts no workflow", async () => {
  assertEquals(filesMessage(await texts(), "graphsUpdate"), "Draw graphs [skip ci]");
  const cases = [":bento: Update graphs [skip ci] [upptime]", ":bento: Update graphs [upptime]"];
  for (const graphsUpdate of cases) {
    const message = filesMessage(await texts({ commitMessages: { graphsUpdate } }), "graphsUpdate");
    assertEquals(message.replace(/\s+/g, " "), ":bento: Update graphs [upptime] [skip ci]");
  }
});
