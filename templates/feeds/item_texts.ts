import { sayError } from "../../lib/evaluation/location_words.ts";
import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { toFileAddress } from "../../lib/config/page_path.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { isOfSite, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { escapeMarkup } from "../../lib/notifications/channels/escape.ts";
import type { FeedEntry, FeedEvent, FeedItem } from "../../lib/page/feed_entries.ts";
import type { FeedState, SaidWords } from "../../lib/page/feed_state.ts";
import { redactMarkup } from "../../lib/page/redact.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { isBefore, latest } from "../../lib/time.ts";
import { LONGEST_NAME } from "../pages/incident_words.ts";
import {
  allowAddresses,
  htmlToText,
  isOwnFile,
  markdownToHtml,
  sanitizeHtml,
} from "../pages/markdown.tsx";
import { describeSite, findSite, type View } from "../pages/view.ts";

/** An item in words: a title without markup, and sanitized HTML. */
type ItemText = Pick<SaidWords, "title" | "html">;

type Shown = Pick<View, "report" | "language" | "settings" | "assets">;

/** The words of items; all are redacted. */
export interface ItemTexts {
  /**
   * An item as it was published; as it is now if it was not yet, or if it may name a site that its entry no longer
   * concerns, such as a hidden one. The error of a site whose address is hidden by now is left out.
   */
  said(item: FeedItem, entry: FeedEntry): ItemText;
  /** All items of an entry as they are now, the newest first. */
  whole(entry: FeedEntry): string;
  /** An item as it is now, without markup. */
  plain(item: FeedItem, entry: FeedEntry): string;
}

/** Describes items, each once: several feeds have the same. */
export function createItemTexts(
  { view, before, redact }: {
    view: Shown;
    before: FeedState;
    redact(text: string): string;
  },
): ItemTexts {
  const known = new Map<string, ItemText>();
  const wholes = new Map<string, string>();
  const shown = ({ title, html }: ItemText) => (
    { title: redact(title), html: redactMarkup(html, redact) }
  );
  const now = (item: FeedItem, entry: FeedEntry) =>
    known.getOrInsertComputed(item.id, () => shown(describeItem(item, entry, view)));
  const said = (item: FeedItem, entry: FeedEntry) => {
    const words = before.items.get(item.id)?.words;
    const isSame = words?.slugs.every((slug) => entry.slugs.includes(slug));
    if (isSame && !mayNameAddress(item, entry, view.report)) return shown(words!);
    const { title, html } = now(item, entry);
    return { title: isSame ? redact(words!.title) : title, html: describeTime(item, view) + html };
  };
  return {
    said,
    whole: (entry) =>
      wholes.getOrInsertComputed(
        entry.id,
        () =>
          entry.items.toReversed().map((item) => {
            const isPlan = item.event === "planned";
            const { title, html } = isPlan ? said(item, entry) : now(item, entry);
            return `<p><strong>${escapeMarkup(title)}</strong></p>${
              describeTime(item, view)
            }${html}`;
          }).join(""),
      ),
    plain: (item, entry) => {
      const { title, html } = now(item, entry);
      const text = htmlToText(html);
      return item.event === "update" && text !== "" ? text : `${title}\n${text}`.trim();
    },
  };
}

/** True of a change of a site whose address is hidden: an error that was published before may contain it. */
function mayNameAddress(
  { event }: FeedItem,
  { incident }: FeedEntry,
  report: View["report"],
): boolean {
  return event !== "update" && isOfSite(incident) &&
    findSite(incident.slug, report)?.hideUrl === true;
}

/** The time of an item; a plan says its own. */
function describeTime({ event, at }: FeedItem, { language }: Shown): string {
  return event === "planned" ? "" : paragraph(language.moment(at));
}

/** Describes an item in the language of the page. */
function describeItem(
  { event, at, update }: FeedItem,
  { incident }: Pick<FeedEntry, "incident">,
  view: Shown,
): ItemText {
  const { language } = view;
  const { say } = language;
  const NAME = language.isolate(nameOf(incident, view));
  const step = (VALUE: string) => say("labeled", { NAME, VALUE });
  if (event === "update") {
    const { phase, text = "" } = update ?? {};
    const title = step(say(phase === undefined ? "update" : PHASE_KEYS[phase]));
    return { title, html: toFeedHtml(text, view) };
  }
  if (isOfSite(incident)) {
    if (event === "recovered") {
      return { title: say("isUp", { NAME }), html: describeOutage(incident, at, view) };
    }
    const title = say(event === "down" ? "isDown" : "isDegraded", { NAME });
    return { title, html: describeError(incident, at, view) };
  }
  const affected = describeAffected(incident, view);
  const text = toFeedHtml(incident.text, view);
  if (event === "opened") return { title: nameOf(incident, view), html: text + affected };
  const state = say(STEPS[event as keyof typeof STEPS]);
  const isPlan = event === "planned";
  const isText = isPlan || event === "started";
  const when = isPlan ? describePlan(incident, view) : "";
  return { title: step(state), html: when + (isText ? text : "") + affected };
}

const STEPS = {
  closed: "incidentFixed",
  planned: "incidentScheduled",
  started: "maintenanceNow",
  completed: "incidentCompleted",
  canceled: "calledOff",
} as const satisfies Partial<Record<FeedEvent, MessageKey>>;

function nameOf(incident: StoredIncident, { report, language }: Shown): string {
  if (isOfSite(incident)) return describeSite(incident.slug, report);
  const name = shorten(plainText(incident.name), LONGEST_NAME);
  return name ||
    language.say(incident.kind === "maintenance" ? "kindMaintenance" : "kindManual");
}

function paragraph(text: string): string {
  return text === "" ? "" : `<p>${escapeMarkup(plainText(text))}</p>`;
}

/** The error of the checks, at the item that it belongs to; not of a site whose address is hidden, which it may contain. */
function describeError(
  incident: Incident,
  at: Temporal.Instant,
  { report, language }: Shown,
): string {
  const { changes, kind, start } = incident;
  const worst = changes.find(({ state }) => state === kind)?.at ?? start;
  const isHidden = findSite(incident.slug, report)?.hideUrl ?? true;
  const error = isHidden || !at.equals(worst)
    ? ""
    : sayError(plainText(incident.error), language.base);
  return error === "" ? "" : `<p><code>${escapeMarkup(shorten(error, LONGEST_ERROR))}</code></p>`;
}

const LONGEST_ERROR = 300;

/** `Down for 5 min`: how long the outage lasted that ended at a time. */
function describeOutage(
  { kind, start, reopened }: Incident,
  end: Temporal.Instant,
  { language }: Shown,
): string {
  const from = latest(start, ...reopened.filter((one) => isBefore(one, end)));
  const TIME = language.duration(end.since(from).total("seconds"));
  return paragraph(language.say(kind === "down" ? "downFor" : "degradedFor", { TIME }));
}

function describePlan(incident: StoredIncident, { language }: Shown): string {
  if (incident.kind !== "maintenance") return "";
  const [FROM, TO] = [language.moment(incident.start), language.moment(incident.until)];
  return paragraph(language.say("fromTo", { FROM, TO }));
}

function describeAffected(incident: StoredIncident, { language, report }: Shown): string {
  if (isOfSite(incident)) return "";
  const slugs = incident.kind === "maintenance" ? [...incident.sites.keys()] : incident.sites;
  const names = slugs.map((slug) =>
    language.isolate(shorten(describeSite(slug, report), LONGEST_NAME))
  );
  return names.length === 0
    ? ""
    : paragraph(language.say("affectedNames", { NAMES: language.list(names) }));
}

/** Converts untrusted Markdown to the HTML that the page has of it, with absolute addresses. */
function toFeedHtml(text: string, { assets, language, settings }: Shown): string {
  if (text.trim() === "") return "";
  const { address, imageHosts } = settings;
  const { html } = markdownToHtml(text, {
    title: language.say("footnotes"),
    back: (number) => language.say("footnoteBack", { NUMBER: language.number(number) }),
  });
  const linkTo = (path: string) =>
    address !== undefined && isOwnFile(path, assets) ? toFileAddress(address, path) : undefined;
  const addresses = allowAddresses(linkTo, imageHosts);
  return sanitizeHtml(html, { addresses, under: 2, prefix: "", tableLabel: language.say("table") });
}
