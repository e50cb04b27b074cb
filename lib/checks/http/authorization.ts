import type { Secrets } from "../../io/secrets/secrets.ts";

/** The authorization of a pair of name and password, which `secrets` redact from now on. */
export function basic(pair: string, secrets?: Secrets): string {
  secrets?.derive(pair);
  return `Basic ${new TextEncoder().encode(pair).toBase64()}`;
}

/** Takes the login out of an address and returns it as an authorization; `undefined` if it has none. */
export function takeLogin(url: URL, secrets: Secrets): string | undefined {
  if (url.username === "" && url.password === "") return undefined;
  secrets.derive(decode(url.password));
  const pair = `${decode(url.username)}:${decode(url.password)}`;
  url.username = url.password = "";
  return basic(pair, secrets);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether the host of a configured address stands there in plain sight: a reference to a secret before
 * the path could stand for it, or for a part of it.
 */
export function showsHost(template: string): boolean {
  const authority = /^(?:http|ws)s?:\/\/([^/?#]*)/i.exec(template)?.[1] ?? "$";
  return !authority.slice(authority.lastIndexOf("@") + 1).includes("$");
}
