import { basic, showsHost, takeLogin } from "../../../checks/http/headers.ts";
import { HEADER_NAME, type Notification, SENDABLE_METHOD } from "../../../config/channels/keys.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  shownAddress,
  shownCredential,
} from "../../../config/channels/kinds.ts";
import type { Secrets } from "../../../io/secrets/secrets.ts";
import { publicUrl } from "../../../io/secrets/url_credentials.ts";
import { EffectError } from "../../../outbox/effect.ts";
import { plainText } from "../../../text/plain_text.ts";
import { type Encode, type Filler, fillTemplate, type Outgoing } from "../../templates.ts";
import type { ChannelSender } from "../channel.ts";
import {
  type Cure,
  deliver,
  type Delivery,
  type HttpAnswer,
  type PreparedRequest,
  USUAL_SENDING_PACE,
  wordsOf,
} from "./delivery.ts";

/** A vendor's part of a channel. */
interface HttpChannel {
  /** Name of the vendor at the start of a sentence. */
  vendor: string;
  /** Makes the requests for a message, to be sent one after another. */
  requests(outgoing: Outgoing): HttpRequest[];
  cures?: readonly Cure[];
  statusOf?(answer: HttpAnswer): number;
}

/** A channel whose messages are requests. */
export function httpChannel(kind: HttpChannel): ChannelSender {
  return {
    preview: (notification, message, sending) =>
      kind.requests({ notification, message, sending, filler: byName })
        .map(({ otherwise: _, address, ...request }) => ({
          ...request,
          address: publicUrl(address),
        })),
    assertSendable(notification, message, sending) {
      const { requests, preparation } = outgoingRequests(kind, { notification, message, sending });
      for (const request of requests) prepare(request, preparation);
    },
    async send(notification, message, sending) {
      const { requests, preparation } = outgoingRequests(kind, { notification, message, sending });
      return await sendAll(requests, {
        preparation,
        delivery: {
          vendor: kind.vendor,
          cures: kind.cures ?? [],
          settings: preparation.settings,
          statusOf: kind.statusOf ?? (({ status }) => status),
          secrets: sending.secrets,
          clock: sending.clock,
          random: sending.random,
          pace: sending.pace ?? USUAL_SENDING_PACE,
          waited: 0,
        },
      });
    },
  };
}

/**
 * Returns the requests of a message, with secrets filled in.
 *
 * @throws {EffectError} If a setting or a secret is missing.
 */
function outgoingRequests(
  kind: HttpChannel,
  { notification, message, sending }: Omit<Outgoing, "filler">,
): { requests: HttpRequest[]; preparation: Preparation } {
  const { vendor } = kind;
  const { needs }: ChannelKind = CHANNEL_KINDS[notification.type];
  const absent = needs.filter((key) => notification[key] === undefined);
  if (absent.length > 0) throw unset(`${vendor} can't be notified: ${absent} is missing`);
  const missing = new Set<string>();
  const filler = resolving(sending.secrets, missing);
  const requests = kind.requests({ notification, message, sending, filler });
  if (missing.size > 0) {
    const names = [...missing].map((name) => `$${name}`).join(", ");
    throw unset(
      `${vendor} can't be notified: ${names} is not among the secrets (names are case-sensitive; SECRETS_CONTEXT or --secrets gives them)`,
    );
  }
  const preparation = {
    vendor,
    settings: settingsOf(notification),
    userAgent: sending.userAgent,
    secrets: sending.secrets,
    showsHost: notification.url === undefined || showsHost(notification.url.trim()),
  };
  return { requests, preparation };
}

/**
 * Sends all requests. A permanent refusal of one does not stop the others; after a transient failure all
 * are retried.
 */
async function sendAll(
  requests: readonly HttpRequest[],
  { preparation, delivery }: { preparation: Preparation; delivery: Delivery },
): Promise<string> {
  let refused: EffectError | undefined;
  let said = "";
  const end = delivery.clock.elapsed() + delivery.pace.budget;
  for (const [index, request] of requests.entries()) {
    if (delivery.clock.elapsed() > end) {
      throw new EffectError(
        `${delivery.vendor} took ${index} of ${requests.length} messages in ${
          delivery.pace.budget / 1000
        } s`,
        { kind: "transient" },
      );
    }
    try {
      const answer = await deliver(prepare(request, preparation), delivery);
      const words = wordsOf(answer, (text) => delivery.secrets.redact(text));
      const note = answer.note === undefined ? "" : `; ${answer.note}`;
      said = `answered ${answer.status}${words === "" ? "" : `: ${words}`}${note}`;
    } catch (error) {
      if (!(error instanceof EffectError) || error.kind !== "permanent") throw error;
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return said;
}

function unset(message: string): EffectError {
  return new EffectError(message, { kind: "misconfigured" });
}

/** Names the keys that a request depends on, such as `webhook-url ($SLACK_WEBHOOK_URL)`. */
function settingsOf(notification: Notification): string {
  const { needs }: ChannelKind = CHANNEL_KINDS[notification.type];
  const others = (["url", "site"] as const).filter((key) =>
    notification[key] !== undefined && !needs.includes(key)
  );
  return [...needs, ...others].map((key) => {
    const value = notification[key];
    const names = typeof value === "string" ? value.match(/\$[A-Z_][A-Z0-9_]*/g) ?? [] : [];
    return names.length === 0 ? key : `${key} (${names.join(", ")})`;
  }).join(" and ");
}

/** A request of a channel, as it is sent or, with secrets by their names, shown. */
export interface HttpRequest {
  method: string;
  address: string;
  /** Parameters that are set in the query of the address, beside those it has. */
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** A remark for the log if the request is accepted. */
  note?: string;
  /** Makes the request to send instead, if the answer calls for one. */
  otherwise?(answer: HttpAnswer): HttpRequest | undefined;
}

/** Shorter texts are no credentials, and are common elsewhere; in UTF-16 units. */
const SHORTEST = 12;

/** Fills in secrets; `missing` collects the names of absent ones. */
function resolving(secrets: Secrets, missing: Set<string>): Filler {
  const text: Filler["text"] = (template, placeholders, encode) => {
    const filled = fillTemplate(template, { placeholders, encode, secrets });
    for (const name of filled.missing) missing.add(name);
    return filled.text;
  };
  const credential: Filler["credential"] = (template, encode) => {
    const before = missing.size;
    const filled = text(template.trim(), {}, (value, place) => {
      const trimmed = value.trim();
      return encode?.(trimmed, place) ?? trimmed;
    });
    // Also redacts credentials that are written in the configuration itself.
    if (missing.size === before && filled.length >= SHORTEST) secrets.derive(filled);
    return filled;
  };
  return {
    text,
    telling: (template, placeholders, encode) =>
      fillTemplate(template, { placeholders, encode, secrets }).text,
    credential,
    address(template) {
      const address = credential(template);
      const { pathname = "", search = "" } = URL.parse(address) ?? {};
      if (pathname.length >= SHORTEST) secrets.derive(pathname);
      if (search.length >= SHORTEST) secrets.derive(search);
      return address;
    },
  };
}

/** Keeps secrets as their names. */
export const byName: Filler = {
  text: (template, placeholders, encode) => fillTemplate(template, { placeholders, encode }).text,
  telling: (template, placeholders, encode) => byName.text(template, placeholders, encode),
  credential: shownCredential,
  address: shownAddress,
};

interface Preparation {
  vendor: string;
  settings: string;
  userAgent: string;
  secrets: Secrets;
  /** False if the host is a secret. */
  showsHost: boolean;
}

/**
 * Makes a request fit to be sent.
 *
 * @throws {EffectError} If the settings make no valid request.
 */
export function prepare(request: HttpRequest, preparation: Preparation): PreparedRequest {
  const { method, address, query = {}, headers = {}, body } = request;
  const { vendor, settings, userAgent, secrets, showsHost } = preparation;
  const fault = (what: string) =>
    new EffectError(`${vendor} can't be notified: ${what}`, { kind: "misconfigured" });
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw fault(`${settings} is not an http or https address once its secrets are in place`);
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (!SENDABLE_METHOD.test(method)) throw fault("the method can't be sent");
  const sent = new Headers({ "User-Agent": userAgent });
  const login = takeLogin(url, secrets);
  if (login !== undefined) sent.set("Authorization", login);
  if (body !== undefined && typeof body !== "string") sent.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw fault("the name of a header is none that HTTP allows");
    sent.set(name, bytes(authorization(name, plainText(value), secrets)));
  }
  return {
    url,
    method,
    headers: sent,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    host: showsHost ? url.host : "its host is a secret",
    note: request.note,
    otherwise(answer) {
      const other = request.otherwise?.(answer);
      return other === undefined ? undefined : prepare(other, preparation);
    },
  };
}

/** Encodes the pair of a `Basic` authorization if it is plain: base64 has no colon. */
function authorization(name: string, value: string, secrets: Secrets): string {
  const pair = /^(?:proxy-)?authorization$/i.test(name)
    ? /^Basic\s+(.*:.*)$/i.exec(value)?.[1]
    : undefined;
  return pair === undefined ? value : basic(pair, secrets);
}

/** A text as the bytes of a header: other letters than those of ASCII go as UTF-8 (RFC 9110, section 5.5). */
function bytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/**
 * A value within an address. A secret may be a part of one, and is encoded only as a part of the login,
 * as in the address of a site.
 */
export const encodeInAddress: Encode = (value, { template, offset, isSecret }) => {
  const login = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.exec(template)?.[0].length ?? 0;
  if (isSecret && offset >= login) return value.trim();
  return encodeURIComponent((isSecret ? value : plainText(value)).toWellFormed());
};

/** An address of a vendor's API: at its usual base, or at the one configured. */
export function vendorAddress(
  { notification: { url }, filler }: Pick<Outgoing, "notification" | "filler">,
  { base, path }: { base: string; path: string },
): string {
  return atBase(url === undefined ? base : filler.text(url.trim(), {}, encodeInAddress), path);
}

/**
 * A path at the base of an API, of which it may be a part already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(atBase("https://a.example/", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * assertEquals(atBase("https://a.example/v2/enqueue", "/v2/enqueue"), "https://a.example/v2/enqueue");
 * ```
 */
export function atBase(base: string, path: string): string {
  const bare = base.replace(/\/+$/, "");
  return bare.endsWith(path) ? bare : bare + path;
}
