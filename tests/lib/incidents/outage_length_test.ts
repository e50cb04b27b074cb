import { assertEquals, assertStringIncludes } from "@std/assert";
import { changeLine } from "../../../templates/terminal/lines.ts";
import { issueComment } from "../../../templates/issue/issue.ts";
import { renderEvent } from "../../../lib/notifications/message_text.ts";
import { toSiteEvent } from "../../../lib/pipeline/subjects.ts";
import { endingOf, openingOf } from "../../helpers/incident_events.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import { NOW, outcomeOf, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { VIEW } from "../../helpers/vendors/messages.ts";

const SITE = await siteNamed("Shop", "shop");
const PLACES = { repository: "https://github.com/acme/status", folder: "" } as const;

/** Texts of log, issue and message about the end of an incident that was reopened at some moments. */
function said(end: Temporal.Instant, reopened: readonly Temporal.Instant[]) {
  const opening = openingOf(SITE, "down", {});
  const incident = {
    ...opening.incident,
    reopened: [...reopened],
    ended: reopened.map((at) => at.subtract({ seconds: 9 })),
  };
  const event = endingOf({ ...opening, incident }, end);
  const outcome = outcomeOf(resultOf(SITE, "up", { began: end, confirmed: end }), "down");
  const plan = { action: "close", incident: event.incident, id: event.id } as const;
  return [
    changeLine({ ...outcome, change: { ...outcome.change!, at: end }, incident: plan })!,
    issueComment(event, PLACES, LANGUAGE),
    JSON.stringify(renderEvent(toSiteEvent(event, VIEW.language), VIEW)),
  ];
}

Deno.test("log, issue and message tell the same length of the outage that ended, without the ones before", () => {
  const reopened = [60, 120].map((seconds) => NOW.add({ seconds }));
  const cases = [
    [NOW.add({ seconds: 121, milliseconds: 600 }), reopened, "after 2 seconds"],
    [NOW.add({ seconds: 120, milliseconds: 600 }), reopened, "after less than a second"],
    [NOW.add({ seconds: 75 }), reopened.slice(0, 1), "after 15 seconds"],
    [NOW.add({ seconds: 75 }), [], "after 1 minute 15 seconds"],
  ] as const;
  for (const [end, times, expected] of cases) {
    for (const text of said(end, times)) {
      assertStringIncludes(text, expected);
    }
  }
  // A clock that was set back leaves no length.
  for (const text of said(NOW, reopened)) assertEquals(/after /.test(text), false, text);
});
