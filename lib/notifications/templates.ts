import type { MessageKind, Notification } from "../config/channels/keys.ts";
import type { PlaceholderName } from "../config/channels/kinds.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { MessageView, SiteEvent } from "./message.ts";
import { describeReport, withContext } from "./event_words.ts";
import { sayError } from "../evaluation/location_words.ts";
import { withReason } from "./recorded_words.ts";
import { showTimes } from "./stored_times.ts";

/** Values by name, without the `$`. */
export type Placeholders = Readonly<Record<string, string>>;

/** The place of a value in a template, which decides how it is escaped. */
interface PlaceInTemplate {
  name: string;
  isSecret: boolean;
  template: string;
  /** Index of the `$` in the template. */
  offset: number;
}

export type Encode = (value: string, place: PlaceInTemplate) => string;

/** A reference in a template: the whole identifier counts. */
const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Puts placeholders and secrets into a template in one pass: placeholders win, and a value is never
 * looked at again. Without `secrets` these stay in the text by their names. `missing` has the names that
 * look like secrets but have no value; they stay in the text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Secrets } from "../io/secrets/secrets.ts";
 * const values = { placeholders: { SITE_NAME: "$KEY" }, secrets: new Secrets({ KEY: "a", SITE_NAME: "b" }) };
 * assertEquals(fillTemplate("$SITE_NAME $SITE_NAMES $KEY", values), { text: "$KEY $SITE_NAMES a", missing: ["SITE_NAMES"] });
 * ```
 */
export function fillTemplate(
  template: string,
  { placeholders = {}, secrets, encode = (value) => value }: {
    placeholders?: Placeholders;
    secrets?: Secrets;
    encode?: Encode;
  },
): { text: string; missing: string[] } {
  const missing: string[] = [];
  const text = template.replace(REFERENCE, (reference, name: string, offset: number) => {
    const place = { name, template, offset };
    if (Object.hasOwn(placeholders, name)) {
      return encode(placeholders[name]!, { ...place, isSecret: false });
    }
    if (secrets === undefined) return reference;
    const found = secrets.substitute(reference);
    missing.push(...found.missing);
    return found.secret ? encode(found.text, { ...place, isSecret: true }) : reference;
  });
  return { text, missing };
}

/** The kind of message that an event makes; `undefined` for tests, reports, and notices about the monitor. */
export function findMessageKind(
  { kind, reminder, flapping, news, topic }: Pick<
    SiteEvent,
    "kind" | "reminder" | "flapping" | "news" | "topic"
  >,
): MessageKind | undefined {
  if (kind === "notice") return news === "acknowledged" ? news : topic;
  if (kind === "test" || kind === "report") return undefined;
  if (kind === "up") return kind;
  if (flapping !== undefined) return "flapping";
  return reminder ? "reminder" : kind;
}

/** Finds the configured text of an event; a single one is for all events but notices and reports. */
export function findTemplate(
  { "message-template": texts }: Pick<Notification, "message-template">,
  event: SiteEvent,
): string | undefined {
  return pickText(texts, event);
}

export function findSubject(
  { "message-template": texts }: Pick<Notification, "message-template">,
  event: SiteEvent,
): string | undefined {
  return typeof texts === "string" ? undefined : pickText(texts?.subject, event);
}

function pickText(
  texts: string | Partial<Record<MessageKind, string>> | undefined,
  event: SiteEvent,
): string | undefined {
  if (typeof texts === "string") {
    return event.kind === "notice" || event.kind === "report" ? undefined : texts;
  }
  const kind = findMessageKind(event);
  return kind === undefined ? undefined : texts?.[kind];
}

/**
 * The values of an event. Missing numbers are 0, as in a record, and missing texts empty, so that JSON
 * made of them stays valid.
 */
export function toPlaceholders(
  event: SiteEvent,
  view: MessageView,
): Record<PlaceholderName, string> {
  const { home, language } = view;
  const { name, kind, flapping, url, code, since, responseTime, lasted, issue } = event;
  const { description, runbook, group, tags = [], hint, body } = event;
  const status = kind !== "up" && flapping !== undefined ? "flapping" : kind;
  return {
    SITE_NAME: name,
    STATUS: status,
    SITE_STATUS: status,
    SITE_URL: url ?? "",
    RESPONSE_CODE: String(code),
    TIMESTAMP: since,
    RESPONSE_TIME: String(Math.round(responseTime ?? 0)),
    ERROR: toReason(event, view),
    DURATION: lasted === undefined ? "" : language.duration(lasted),
    DESCRIPTION: description ?? "",
    RUNBOOK: runbook ?? "",
    TAGS: tags.join(", "),
    GROUP: group ?? "",
    HINT: showTimes(hint ?? "", view),
    BODY: body ?? "",
    INCIDENT_URL: home === undefined || issue === undefined ? "" : `${home}/issues/${issue}`,
  };
}

function toReason(event: SiteEvent, view: MessageView): string {
  const { kind, title = "", error } = event;
  const { language } = view;
  if (kind === "notice") return showTimes(withReason(title, error, language), view);
  return kind === "report"
    ? withReason(title, describeReport(event, language), language)
    : withContext(error === "" ? "" : showTimes(sayError(error, language), view), event, view);
}
