import { assertEquals } from "@std/assert";
import { closeAnnouncement } from "../../../lib/incidents/maintenance/close_announcement.ts";
import { carriedLine, effectText } from "../../../templates/terminal/update.ts";

const HOME = "https://github.com/acme/status";
const UNTIL = Temporal.Instant.from("2026-11-21T12:00:00Z");
const EFFECT = closeAnnouncement({
  ...{ name: "Router", until: UNTIL, issue: 12 },
}, "UTC");
const WHAT = "close issue #12, because its maintenance is over (Router)";

Deno.test("a dry run shows what the issue of maintenance that is over would be told", () => {
  assertEquals(
    effectText(EFFECT, new Map()),
    `  ${WHAT}\n\n      **Completed:** the maintenance window ended at 2026-11-21 12:00 UTC.\n`,
  );
});

Deno.test("the end of an announcement is told, and that somebody was there before", () => {
  const entry = { ...EFFECT, planned: UNTIL };
  assertEquals(
    carriedLine({ entry, receipt: { issue: 12 } }, HOME),
    `Done: ${WHAT} → ${HOME}/issues/12`,
  );
  assertEquals(
    carriedLine({ entry, receipt: { issue: 12, isLeft: true } }, HOME),
    `Nothing to do, because somebody has closed it, or changed what it announces: ${WHAT}`,
  );
});
