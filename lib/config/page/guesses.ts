import { isMap } from "../document.ts";
import { canonicalLanguage, hostOf } from "../keys/page_values.ts";
import type { Guess } from "./tidied.ts";

const SPELLINGS = new Map<unknown, boolean>([
  ...["true", "yes", "on", "1", 1].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", 0].map((word) => [word, false] as const),
]);

/** `true` and `false` as texts and numbers. */
export const meantFlag: Guess = (value) => {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  const meant = SPELLINGS.get(word);
  return meant === undefined ? undefined : { value: meant, instead: String(meant) };
};

/** A domain with what an address has before and behind it. */
export const meantDomain: Guess = (value) => {
  if (typeof value !== "string") return undefined;
  const bare = value.trim().replace(/^https?:\/\//i, "").replace(/[/?#].*$/, "");
  if (/(^|\.)github\.io$/i.test(bare)) {
    return { value: undefined, instead: "nothing: a page on github.io has no domain of its own" };
  }
  return bare === value || hostOf(bare) === undefined ? undefined : { value: bare, instead: bare };
};

/** A path with a domain before it; the repository's page has the owner there as well. */
export const meantPath: Guess = (value) => {
  if (typeof value !== "string") return undefined;
  const [, path] = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(\/.*|$)/i.exec(value.trim()) ?? [];
  if (path === undefined) return undefined;
  const own = /^\s*(?:https?:\/\/)?github\.com\//i.test(value)
    ? path.replace(/^\/[^/]+/, "")
    : path;
  return { value: own, instead: own === "" ? "/" : own };
};

/** One of several words, in other letters. */
export const meantWord: Guess = (value) => {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  return word === value ? undefined : { value: word, instead: String(word) };
};

/** One thing where a list of them is expected. */
export const meantList: Guess = (value) =>
  isMap(value) || typeof value === "string"
    ? { value: [value], instead: "a list with that alone" }
    : undefined;

/** The address of a script where a map is expected. */
export const meantScript: Guess = (value) =>
  typeof value === "string" ? { value: { src: value }, instead: "a map with src" } : undefined;

/** A language as operating systems spell it. */
export const meantLanguage: Guess = (value) => {
  if (typeof value !== "string" || !/[_.@]/.test(value)) return undefined;
  const name = canonicalLanguage(value.trim().replace(/[.@].*$/, "").replaceAll("_", "-"));
  return name === undefined ? undefined : { value: name, instead: name };
};

/** An address without its scheme, which would lead into the page. */
export const meantAddress: Guess = (value) => {
  if (typeof value !== "string") return undefined;
  const isHost = /^(?:www\.[\w-]+\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/)/i.test(value.trim());
  const address = `https://${value.trim()}`;
  return isHost ? { value: address, instead: address } : undefined;
};

/** Where fresh states come from, with false for nowhere. */
export const meantSource: Guess = (value) => {
  if (typeof value !== "boolean") return meantWord(value);
  const word = value ? "page" : "off";
  return { value: word, instead: word };
};
