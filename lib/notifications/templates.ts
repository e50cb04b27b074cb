import type { PlaceholderName } from "../config/channels/kinds.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { describeDuration } from "../time.ts";
import type { Notification } from "../config/channels/keys.ts";
import type { Message } from "./message.ts";
import type { Sending } from "./channels/channel.ts";
import { cutText, importantFirst, joinFitting } from "./fit_text.ts";
import { withDependencies } from "./headlines.ts";
import type { MessagePlaces, SiteEvent } from "./message.ts";
import { eventHeadline } from "./message_text.ts";

/** Values by name, without the `$`. */
export type Placeholders = Readonly<Record<string, string>>;

/** The place of a value in a template, which decides how it is escaped. */
export interface PlaceInTemplate {
  name: string;
  isSecret: boolean;
  template: string;
  /** Index of the `$` in the template. */
  offset: number;
}

/** Escapes a value for its place. */
export type Encode = (value: string, place: PlaceInTemplate) => string;

/** Puts secrets into the texts of a notification, or leaves them in by their names. */
export interface Filler {
  /** A text that can't be sent as long as a secret is missing. */
  text(template: string, placeholders?: Placeholders, encode?: Encode): string;
  /** A text that is sent even if a secret is missing. */
  telling(template: string, placeholders?: Placeholders, encode?: Encode): string;
  /** A key or a token. */
  credential(template: string, encode?: Encode): string;
  /** An address that whoever knows it may send to. */
  address(template: string): string;
}

/** Input of a payload. */
export interface Outgoing {
  notification: Notification;
  message: Message;
  sending: Sending;
  filler: Filler;
}

/** A template with its values in place. */
interface Filled {
  text: string;
  /** Names that look like secrets but have no value; they stay in the text. */
  missing: string[];
}

/** A reference in a template: the whole identifier counts. */
const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Puts placeholders and secrets into a template in one pass: placeholders win, and a value is never
 * looked at again. Without `secrets` these stay in the text by their names.
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
): Filled {
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

/** Placeholders that are addresses, which channels may show as links. */
export const ADDRESSES: readonly string[] = ["SITE_URL", "INCIDENT_URL"];

/**
 * The values of an event. Missing numbers are 0, as in a record, and missing texts empty, so that JSON
 * made of them stays valid.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const since = "2026-11-21T10:05:03.120Z";
 * const seen = { code: 503, error: "", attempts: 3, incident: "2026-11-21-shop", issue: 12 };
 * const values = toPlaceholders({ id: "a", kind: "down", name: "Shop", slug: "shop", since, ...seen }, { home: "https://a.example" });
 * assertEquals([values.STATUS, values.RESPONSE_TIME, values.INCIDENT_URL], ["down", "0", "https://a.example/issues/12"]);
 * ```
 */
export function toPlaceholders(
  event: SiteEvent,
  { home }: MessagePlaces,
): Record<PlaceholderName, string> {
  const { name, kind, flapping, title, url, code, since, responseTime, error, lasted, issue } =
    event;
  const status = kind !== "up" && flapping !== undefined ? "flapping" : kind;
  return {
    SITE_NAME: name,
    STATUS: status,
    SITE_STATUS: status,
    SITE_URL: url ?? "",
    RESPONSE_CODE: String(code),
    TIMESTAMP: since,
    RESPONSE_TIME: String(Math.round(responseTime ?? 0)),
    ERROR: kind === "notice" ? `${title}: ${error}` : withDependencies(error, event),
    DURATION: lasted === undefined ? "" : describeDuration(lasted),
    INCIDENT_URL: home === undefined || issue === undefined ? "" : `${home}/issues/${issue}`,
  };
}

/** Placeholders whose values mean nothing in any markup, and are read by programs. */
const PLAIN: readonly string[] = ["TIMESTAMP", "RESPONSE_CODE", "RESPONSE_TIME"];

interface Escapes {
  escape(text: string): string;
  escapeAddress?(address: string): string;
}

/**
 * Renders `message-template` for an event; `undefined` if there is none. The template is in the markup of
 * the channel and values are escaped for it; only addresses may become links. An empty result is replaced
 * by the headline.
 */
export function toldByTemplate(
  event: SiteEvent,
  { notification, sending, filler }: Pick<Outgoing, "notification" | "sending" | "filler">,
  { escape, escapeAddress = escape }: Escapes,
): string | undefined {
  const template = notification["message-template"];
  if (template === undefined) return undefined;
  // A template is made for sites.
  if (event.kind === "notice") return escape(`${eventHeadline(event)}: ${event.error}`);
  const text = filler.telling(
    template,
    toPlaceholders(event, sending.places),
    (value, { name, isSecret }) => {
      if (!isSecret && PLAIN.includes(name)) return value;
      return !isSecret && ADDRESSES.includes(name) ? escapeAddress(value) : escape(value);
    },
  );
  return text.trim() === "" ? escape(eventHeadline(event)) : text;
}

/**
 * Renders `message-template` for as many events as fit, the most important first. A text that is too long
 * on its own is cut without splitting matches of `whole`, and left as it is without it.
 */
export function textByTemplate(
  outgoing: Outgoing,
  { separator, longest, whole, ...escapes }: Escapes & {
    separator: string;
    /** In UTF-16 units. */
    longest: number;
    whole?: RegExp;
  },
): string | undefined {
  if (outgoing.notification["message-template"] === undefined) return undefined;
  const texts = importantFirst(outgoing.message.events)
    .map((event) => toldByTemplate(event, outgoing, escapes) ?? "");
  const text = joinFitting(texts, { separator, longest });
  return whole === undefined ? text : cutText(text, longest, whole);
}
