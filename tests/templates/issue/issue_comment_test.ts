import { assertEquals, assertStringIncludes } from "@std/assert";
import { issuesTracker } from "../../../lib/incidents/issue_effect.ts";
import { issueBody, issueComment, issueTitle } from "../../../templates/issue/issue.ts";
import { endingOf, laterOf, openingOf, PHASES } from "../../helpers/incident_events.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { siteOf } from "../../helpers/sites.ts";

const PLACES = { repository: "https://github.com/acme/status", folder: "" };
const FILE =
  "[File of this incident](https://github.com/acme/status/blob/HEAD/history/incidents/2026-11-21-shop.yml)";
const CHECKS =
  "[Checks of the day](https://github.com/acme/status/blob/HEAD/history/checks/2026-11-21.csv)";

const shop = await siteOf({ name: "Shop", url: "https://shop.example.com/" });
const REFUSED = "connection refused (203.0.113.7:443)";
const SLOW = "answered after 2310 ms, slower than the 2000 ms allowed";
const down = openingOf(shop, "down", { error: REFUSED });
const degraded = openingOf(shop, "degraded", { error: SLOW, responseTime: 2310, phases: PHASES });

Deno.test("the comment of a recovery says how long it took, and what showed it", () => {
  const end = NOW.add({ hours: 2, minutes: 5 });
  assertEquals(
    issueComment(endingOf(down, end), PLACES),
    `**Resolved:** Shop is up again after 2 hours, 5 minutes. First good attempt at 2026-11-21 12:10 UTC: 200 OK, 123 ms.\n\n${FILE}\n`,
  );
  assertEquals(
    issueComment(endingOf(degraded, NOW.add({ minutes: 12 })), PLACES),
    `**Resolved:** Shop is as it should be again after 12 minutes. First good attempt at 2026-11-21 10:17 UTC: 200 OK, 123 ms.\n\n${FILE}\n`,
  );
  assertEquals(
    issueComment({ ...endingOf(down, end), result: undefined }, PLACES),
    `**Resolved:** Shop is up again after 2 hours, 5 minutes. First good attempt at 2026-11-21 12:10 UTC.\n\n${FILE}\n`,
  );
  assertEquals(
    issueComment(endingOf(down, NOW), PLACES),
    `**Resolved:** Shop is up again. First good attempt at 2026-11-21 10:05 UTC: 200 OK, 123 ms.\n\n${FILE}\n`,
  );
});

Deno.test("the comment of a recovery has no status where the check has none", async () => {
  const site = await siteOf({ name: "Shop", url: "db.example.com:5432", check: "tcp-ping" });
  const event = endingOf(openingOf(site, "down", { error: REFUSED }), NOW.add({ minutes: 5 }));
  assertEquals(
    issueComment(event, PLACES),
    `**Resolved:** Shop is up again after 5 minutes. First good attempt at 2026-11-21 10:10 UTC: 123 ms.\n\n${FILE}\n`,
  );
});

Deno.test("the comment on a site that is no longer monitored says that this is why the issue is closed", () => {
  const { site: _, result: __, condition: ___, ...gone } = endingOf(
    down,
    NOW.add({ hours: 2, minutes: 5 }),
  );
  assertEquals(
    issueComment(gone, PLACES),
    `**Resolved:** shop is no longer monitored, which ends this incident after 2 hours, 5 minutes.\n\n${FILE}\n`,
  );
});

Deno.test("a comment tells of a degraded site that is down, with a hint, and of one that answers again", () => {
  const worse = laterOf(degraded, "update", { state: "down", minutes: 15, error: REFUSED });
  assertEquals(
    issueComment(worse, PLACES),
    `**Now down** since 2026-11-21 10:20 UTC: connection refused (203.0.113.7:443).

**Hint:** The machine answered, but takes no connections on this port. If it does elsewhere, a firewall turns the runner away: hosted runners have changing IP addresses.

${CHECKS}
`,
  );
  const better = laterOf(worse, "update", { state: "degraded", minutes: 20, error: SLOW });
  assertEquals(
    issueComment(better, PLACES),
    `**Answers again, but degraded** since 2026-11-21 10:25 UTC: answered after 2310 ms, slower than the 2000 ms allowed.\n\n${CHECKS}\n`,
  );
  assertEquals(
    issueComment({ ...better, result: undefined }, PLACES),
    `**Answers again, but degraded** since 2026-11-21 10:25 UTC.\n\n${CHECKS}\n`,
  );
});

Deno.test("a comment tells of a site that fails again", () => {
  const again = laterOf(down, "reopen", { state: "down", minutes: 10, error: REFUSED });
  assertEquals(
    issueComment(again, PLACES),
    `**Down again** since 2026-11-21 10:15 UTC: connection refused (203.0.113.7:443).\n\n${CHECKS}\n`,
  );
  const slow = laterOf(degraded, "reopen", { state: "degraded", minutes: 10, error: SLOW });
  assertEquals(
    issueComment(slow, PLACES),
    `**Degraded again** since 2026-11-21 10:15 UTC: answered after 2310 ms, slower than the 2000 ms allowed.\n\n${CHECKS}\n`,
  );
});

Deno.test("a site that starts to flap is one comment, which says how often it has changed and what follows", () => {
  const opening = down;
  const flaps = { changes: 9, within: 3_600_000 };
  const flapping = { ...opening, action: "flap", flaps } as const;
  const text =
    "**Flapping:** Shop keeps changing its state (9 changes in the last hour). This issue " +
    "stays open, without further comments, until it has been up in 6 runs in a row.";
  assertStringIncludes(issueComment(flapping, PLACES), text);
  assertStringIncludes(issueComment({ ...opening, action: "reopen", flaps }, PLACES), text);
  assertStringIncludes(issueBody({ ...opening, flaps }, PLACES), text);
  const tracker = issuesTracker({
    place: "",
    folder: "",
    opens: true,
    texts: {
      title: issueTitle,
      body: (event) => issueBody(event, PLACES),
      comment: (event) => issueComment(event, PLACES),
    },
    lock: false,
    assignees: [],
  });
  const effects = tracker.owes(flapping, true);
  assertEquals(effects.map(({ id, data }) => [id, data["action"], data["title"]]), [
    [`${opening.id}/flapping@2026-11-21T10:05:03.120Z`, "update", "🛑 Shop is down"],
  ]);
});
