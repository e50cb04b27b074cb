import type { MaintenanceEvent } from "../../lib/page/maintenance_events.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { LONGEST_NAME } from "../pages/incident_words.ts";
import { toExcerpt } from "../pages/markdown.tsx";
import { describeSite, type View } from "../pages/view.ts";
import type { CalendarEvent } from "./calendar.ts";

/** Most characters of the description of a window. */
const LONGEST_TEXT = 1000;

/** Describes a maintenance window as an event, with plain texts. */
export function toCalendarEvent(
  event: MaintenanceEvent,
  { view: { report, language }, tag, link, redact }: {
    view: Pick<View, "report" | "language">;
    tag(name: string): string;
    link?: string;
    redact(text: string): string;
  },
): CalendarEvent {
  const { id, window, start, slugs, isCanceled, created, sequence, modified } = event;
  const title = shorten(plainText(window?.name ?? ""), LONGEST_NAME) ||
    language.say("kindMaintenance");
  const names = slugs.map((slug) => language.isolate(describeSite(slug, report)));
  const affected = names.length === 0
    ? []
    : [language.say("affectedNames", { NAMES: language.list(names) })];
  const text = [...affected, toExcerpt(window?.text ?? "", LONGEST_TEXT)].filter((one) =>
    one !== ""
  );
  // An event has to last.
  const soonest = start.add({ seconds: 1 });
  return {
    uid: tag(`maintenance/${id}`),
    start,
    until: Temporal.Instant.compare(event.until, soonest) < 0 ? soonest : event.until,
    title: redact(title),
    text: redact(text.join("\n")),
    link,
    isCanceled,
    created,
    sequence,
    modified,
  };
}
