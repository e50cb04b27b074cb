import * as v from "valibot";
import { expected } from "./values.ts";

/** A domain as it stands in CNAME: in the letters of the name system. */
export function domain() {
  const message = expected("a domain such as status.example.com");
  return v.pipe(
    v.string(message),
    v.check((input) => hostOf(input) !== undefined, message),
    v.transform((input) => hostOf(input)!),
  );
}

/** The host that a text names, without scheme, path and port; `undefined` where it names none. */
export function hostOf(text: string): string | undefined {
  const host = text.trim().replace(/\.$/, "");
  const name = /^[^\s/:?#@\\]+$/.test(host) ? URL.parse(`https://${host}`)?.hostname : undefined;
  return name !== undefined && HOST.test(name) ? name : undefined;
}

const HOST = /^(?=.{4,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]*[a-z\d])$/;

/** A path that a page is under, with $OWNER and $REPO: a slash before it, none behind; empty for the top. */
export function basePath() {
  const message = expected("a path such as /status");
  return v.pipe(
    v.string(message),
    v.regex(/^(?:[\w.~/-]|\$(?:OWNER|REPO)\b)*$/, message),
    v.transform((input) =>
      input.split("/").filter((part) => part !== "").map((part) => `/${part}`).join("")
    ),
  );
}

/** Which schemes an address may have, beside http: and https:. */
export type Scheme = "mailto" | "tel" | "data";

/**
 * An address, or a path into the page. Characters that browsers pass over are gone from it, so that its
 * scheme is the one that they see.
 */
export function place(...schemes: Scheme[]) {
  const what = schemes.includes("data")
    ? "an address that begins with https://, or the name of a file in assets/"
    : "an address that begins with https://, or a path of the page";
  const message = expected(what);
  const tidy = (input: string) => input.replaceAll(/\p{C}/gu, "").trim();
  return v.pipe(
    v.string(message),
    v.check((input) => isPlace(tidy(input), schemes), message),
    v.transform(tidy),
  );
}

function isPlace(text: string, schemes: readonly Scheme[]): boolean {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return URL.parse(text) !== null;
  if (scheme === "data") return schemes.includes("data") && /^data:image\//i.test(text);
  if (scheme !== undefined) return schemes.some((known) => known === scheme);
  return URL.parse(text, "https://page.example/") !== null;
}

/** Code that goes into pages as it stands. */
export function code() {
  return v.string(expected("a text"));
}

/** CSS that stays inside of its element. */
export function styleText() {
  const message = "expected CSS without </style, which would end it";
  return v.pipe(code(), v.check((css) => !/<\/style/i.test(css), message));
}

/** The name of a language with its country where it matters, such as `en-US`. */
export function language() {
  const message = expected("a language such as en or pt-BR");
  return v.pipe(
    v.string(message),
    v.check((input) => canonicalLanguage(input) !== undefined, message),
    v.transform((input) => canonicalLanguage(input)!),
  );
}

/** A language as standards spell it; `undefined` where a text is none. */
export function canonicalLanguage(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.trim())[0];
  } catch {
    return undefined;
  }
}

/** A text for people, on the page; an empty one says nothing. */
export function words() {
  return v.pipe(v.union([v.string(), v.number()], expected("a text")), v.transform(String));
}
