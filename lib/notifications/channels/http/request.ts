import { basic, takeLogin } from "../../../checks/http/headers.ts";
import { HEADER_NAME, SENDABLE_METHOD } from "../../../config/channels/keys.ts";
import { plainText } from "../../../text/plain_text.ts";
import { parseWebAddress } from "../../../text/safe_parse.ts";
import { type Sending, SettingError } from "../channel.ts";

/** An answer whose body may be cut. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** A request of a channel, as it is sent or, with secrets by their names, shown. */
export interface HttpRequest {
  /** @default {"POST"} */
  method?: string;
  address: string;
  /** Parameters that are set in the query of the address, in addition to those it has. */
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Fields of a form, in place of a body. */
  form?: Readonly<Record<string, string>>;
  /** A remark for the log if the request is accepted. */
  note?: string;
  /** Makes the request to send instead, if the answer calls for one. */
  otherwise?(answer: HttpAnswer): HttpRequest | undefined;
}

/**
 * Makes a request fit to be sent. `settings` names the keys that it depends on.
 *
 * @throws {EffectError} If the settings make no valid request.
 */
export function prepare(
  { method = "POST", address, query = {}, headers = {}, form, body }: HttpRequest,
  { vendor, settings, sending: { userAgent, secrets } }: {
    vendor: string;
    settings: string;
    sending: Sending;
  },
): { url: URL; init: { method: string; headers: Headers; body?: Blob } } {
  const url = parseWebAddress(address);
  if (url === undefined) {
    throw new SettingError(
      vendor,
      `${settings} is not an http or https address once its secrets are in place`,
    );
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (!SENDABLE_METHOD.test(method)) throw new SettingError(vendor, "the method can't be sent");
  const sent = new Headers({ "User-Agent": userAgent });
  const login = takeLogin(url, secrets);
  if (login !== undefined) sent.set("Authorization", login);
  const isText = body === undefined || typeof body === "string";
  if (form !== undefined) sent.set("Content-Type", "application/x-www-form-urlencoded");
  else if (!isText) sent.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) {
      throw new SettingError(vendor, "the name of a header is none that HTTP allows");
    }
    const plain = plainText(value);
    // A plain `user:password` is encoded: base64 has no colon.
    const pair = /^(?:proxy-)?authorization$/i.test(name)
      ? /^Basic\s+(.*:.*)$/i.exec(plain)?.[1]
      : undefined;
    sent.set(name, toBytes(pair === undefined ? plain : basic(pair, secrets)));
  }
  const text = form !== undefined
    ? new URLSearchParams(form).toString()
    : isText
    ? body
    : JSON.stringify(body);
  // The runtime would resend a text if the connection breaks.
  return { url, init: { method, headers: sent, body: text ? new Blob([text]) : undefined } };
}

/** A text as the bytes of a header: letters outside ASCII are sent as UTF-8 (RFC 9110, section 5.5). */
function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
