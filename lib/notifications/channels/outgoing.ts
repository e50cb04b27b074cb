import type { Notification } from "../../config/channels/keys.ts";
import { shownAddress, shownCredential } from "../../config/channels/kinds.ts";
import type { Language } from "../../text/language.ts";
import { plainText } from "../../text/plain_text.ts";
import { cutText, joinFitting } from "../fit_text.ts";
import { eventHeadline } from "../headlines.ts";
import {
  type EventText,
  listCommonLinks,
  type MessageText,
  renderMessage,
} from "../message_text.ts";
import type { Message, MessageView, SiteEvent } from "../message.ts";
import {
  type Encode,
  fillTemplate,
  findMessageKind,
  findTemplate,
  type Placeholders,
  toPlaceholders,
} from "../templates.ts";
import type { Sending } from "./channel.ts";

/** Shorter texts are no credentials, and are common elsewhere; in UTF-16 units. */
const SHORTEST = 12;

/** Placeholders whose values mean nothing in any markup, and are read by programs. */
const PLAIN: readonly string[] = ["TIMESTAMP", "RESPONSE_CODE", "RESPONSE_TIME"];
/** Placeholders that are addresses, which channels may show as links. */
const ADDRESSES: readonly string[] = ["SITE_URL", "INCIDENT_URL"];

interface Escapes {
  escape(text: string): string;
  /** @default {escape} */
  escapeAddress?(address: string): string;
  /** Rewrites a configured text before it is filled in. */
  adapt?(template: string): string;
}

interface TextOptions extends Escapes {
  separator: string;
  /** In UTF-16 units. */
  longest: number;
  whole?: RegExp;
  /**
   * Renders a link.
   *
   * @default {address}
   */
  link?(link: EventText["links"][number]): string;
}

/** Longest line about an event or a message, in UTF-16 units. */
const LONGEST_LINE = 300;

/** Renders one line with the most useful link. */
function toLine(
  { sign, summary, links: [first] }: Pick<EventText, "sign" | "summary" | "links">,
  { escape, escapeAddress = escape, link = ({ address }) => escapeAddress(address) }: TextOptions,
): string {
  const text = `${sign} ${escape(cutText(summary, LONGEST_LINE))}`;
  return first === undefined ? text : `${text} · ${link(first)}`;
}

/** A message to a channel, and its settings with secrets filled in; in a preview they stay as their names. */
export class Outgoing {
  /** Names of secrets without a value that the message needs. */
  readonly missing = new Set<string>();
  readonly text: MessageText;
  readonly view: MessageView;

  constructor(
    readonly notification: Notification,
    readonly message: Message,
    readonly sending: Sending,
    readonly isPreview = false,
  ) {
    const { places, timezone, language, clock } = sending;
    this.view = { ...places, timezone, language, now: clock.now() };
    this.text = renderMessage(message, this.view);
  }

  get language(): Language {
    return this.sending.language;
  }

  /** Fills in a text that can't be sent as long as a secret is missing. */
  fill(template: string, placeholders?: Placeholders, encode?: Encode): string {
    const { text, missing } = this.#filled(template, placeholders, encode);
    for (const name of missing) this.missing.add(name);
    return text;
  }

  /** Fills in a text that is sent even if a secret is missing. */
  fillLeniently(template: string, placeholders?: Placeholders, encode?: Encode): string {
    return this.#filled(template, placeholders, encode).text;
  }

  /** A key or token, redacted from now on even if it is written in the configuration itself. */
  credential(template = "", encode: (value: string) => string = (value) => value): string {
    if (this.isPreview) return shownCredential(template);
    const text = this.fill(template.trim(), {}, (value) => encode(value.trim()));
    if (this.#filled(template).missing.length === 0) this.#redact(text);
    return text;
  }

  /** An address that is a credential as a whole, whose parts servers repeat. */
  webhookUrl(template = this.notification["webhook-url"] ?? ""): string {
    if (this.isPreview) return shownAddress(template);
    const address = this.credential(template);
    const { pathname = "", search = "" } = URL.parse(address) ?? {};
    const key = pathname.slice(pathname.lastIndexOf("/") + 1);
    for (const part of [pathname, search, key]) this.#redact(part);
    return address;
  }

  /**
   * The address of a vendor's API: at its usual base or the configured `url`, which may contain the path, and
   * a query that stays.
   */
  apiUrl(base: string, path: string): string {
    const { url } = this.notification;
    const filled = url === undefined ? base : this.fill(url.trim(), {}, encodeInAddress);
    const [, start = "", query = ""] = /^([^?]*?)\/*(\?.*)?$/s.exec(filled) ?? [];
    return (start.endsWith(path) ? start : start + path) + query;
  }

  /**
   * Renders the configured text of an event; `undefined` if it has none. It is in the markup of the channel and
   * values are escaped for it; only addresses may become links. An empty result is replaced by the headline.
   */
  templateText(event: SiteEvent, escapes: Escapes): string | undefined {
    const template = findTemplate(this.notification, event);
    return template === undefined ? undefined : this.fillForEvent(template, event, escapes);
  }

  fillForEvent(
    template: string,
    event: SiteEvent,
    { escape, escapeAddress = escape, adapt = (template) => template }: Escapes,
  ): string {
    const placeholders = toPlaceholders(event, this.view);
    const text = this.fillLeniently(adapt(template), placeholders, (value, { name, isSecret }) => {
      if (!isSecret && PLAIN.includes(name)) return value;
      return !isSecret && ADDRESSES.includes(name) ? escapeAddress(value) : escape(value);
    });
    return text.trim() === "" ? escape(eventHeadline(event, this.language)) : text;
  }

  /**
   * Renders the configured texts of as many events as fit, the most important first, and a line for each event
   * that has none; `undefined` if none of them has one. A text that is too long on its own is cut without
   * splitting matches of `whole`, and left as it is without it.
   */
  templateTexts(
    { events, ...options }: TextOptions & {
      /** @default All events of the message */
      events?: readonly SiteEvent[];
    },
  ): string | undefined {
    const { separator, longest, whole } = options;
    const shown = events === undefined
      ? this.text.events
      : renderMessage({ id: "", events }, this.view).events;
    const own = shown.map(({ event }) => this.templateText(event, options));
    if (own.every((text) => text === undefined)) return undefined;
    const texts = shown.map((text, index) => own[index] ?? toLine(text, options));
    const text = joinFitting(texts, { separator, longest, language: this.language });
    return whole === undefined ? text : cutText(text, longest, whole);
  }

  /** Renders a message of a chat that is not in the chat's own form: by configured texts, or as one line. */
  chatText(options: TextOptions): string | undefined {
    const text = this.templateTexts(options);
    if (!this.isShort) return text;
    const { headline, events: [first], only } = this.text;
    if (only) return toLine(only, options);
    const links = listCommonLinks(this.message.events, this.view);
    return toLine({ sign: first!.sign, summary: headline, links }, options);
  }

  get templates(): string[] {
    const texts = this.message.events.flatMap((event) =>
      findTemplate(this.notification, event) ?? []
    );
    return [...new Set(texts)];
  }

  get isShort(): boolean {
    return this.notification.short === true && this.templates.length === 0;
  }

  /** True if `silent` names the kinds of all events. */
  get isWithoutSound(): boolean {
    const { silent = [] } = this.notification;
    return this.message.events.every((event) => {
      const kind = findMessageKind(event);
      return kind !== undefined && silent.includes(kind);
    });
  }

  #filled(template: string, placeholders?: Placeholders, encode?: Encode) {
    const secrets = this.isPreview ? undefined : this.sending.secrets;
    return fillTemplate(template, { placeholders, encode, secrets });
  }

  #redact(text: string): void {
    if (text.length >= SHORTEST) this.sending.secrets.derive(text);
  }
}

/**
 * Encodes a value within an address. A secret may be a part of one, and is encoded only as a part of the
 * login, as in the address of a site.
 */
export const encodeInAddress: Encode = (value, { template, offset, isSecret }) => {
  const login = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.exec(template)?.[0].length ?? 0;
  if (isSecret && offset >= login) return value.trim();
  return encodeURIComponent((isSecret ? value : plainText(value)).toWellFormed());
};
