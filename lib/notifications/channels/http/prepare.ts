import { plainText } from "../../../text/plain_text.ts";
import type { HttpAnswer, HttpRequest } from "./request.ts";
import { basic, takeLogin } from "../../../checks/http/headers.ts";
import type { Secrets } from "../../../io/secrets/secrets.ts";
import { CarrierError } from "../../../outbox/effect.ts";
import { HEADER_NAME, SENDABLE_METHOD } from "../../../config/channels/keys.ts";

/** A request with everything in place. */
export interface PreparedRequest {
  url: URL;
  method: string;
  headers: Headers;
  body?: string;
  /** The host as errors name it. */
  host: string;
  /** What people should know where it is taken. */
  note?: string;
  /** What to send instead, where the answer asks for that. */
  otherwise(answer: HttpAnswer): PreparedRequest | undefined;
}

/** What errors say of a request, and what it is sent with. */
export interface Preparation {
  vendor: string;
  settings: string;
  userAgent: string;
  secrets: Secrets;
  /** Whether the name of the host may be told. */
  showsHost: boolean;
}

/**
 * Makes a request fit to be sent.
 *
 * @throws {CarrierError} Where what was configured makes no request.
 */
export function prepare(request: HttpRequest, preparation: Preparation): PreparedRequest {
  const { method, address, query = {}, headers = {}, body } = request;
  const { vendor, settings, userAgent, secrets, showsHost } = preparation;
  const fault = (what: string) =>
    new CarrierError(`${vendor} can't be notified: ${what}`, { prospect: "setting" });
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

/** The pair of a `Basic` authorization is encoded where it is still plain: base64 has no colon. */
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
