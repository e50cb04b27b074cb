import { type Expiry, readExpiry } from "../checks/certificates.ts";
import {
  readPlaces,
  readVotes,
  sayPlaces,
  withoutLocations,
} from "../evaluation/location_words.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";
import type { Outage, SiteEvent } from "./message.ts";

/** An error that names locations: these in words, `Rome (up in Oslo)`, and the reason behind them. */
export interface Seen {
  state: Outage;
  places: string;
  reason: string;
}

/** Reads the locations of a recorded error; `undefined` if it names none. */
export function readSeen(error: string, language: Language): Seen | undefined {
  const votes = readVotes(error);
  const places = votes && readPlaces(votes.places);
  return places && {
    state: votes.state === "degraded" ? votes.state : "down",
    places: sayPlaces(places, language),
    reason: sayEvidence(votes.reason, language),
  };
}

/** An error as it was recorded, which right-to-left text isolates. */
export function sayEvidence(error: string, { isolate }: Language): string {
  return error === "" ? "" : isolate(error);
}

/** `Shop is down: connection refused` */
export function withReason(text: string, reason: string, { say }: Language): string {
  return reason === "" ? text : say("withReason", { TEXT: text, REASON: reason });
}

/** Joins the texts that are not empty, by a key with two of them. */
export function joinTexts(
  key: "commaBetween" | "semicolonBetween" | "sentencesBetween",
  texts: readonly string[],
  { say }: Language,
): string {
  const all = texts.filter((text) => text !== "");
  return all.length === 0 ? "" : all.reduce((one, other) => say(key, { ONE: one, OTHER: other }));
}

/** The signs that a language puts between two texts. */
export function findSeparator(
  key: "commaBetween" | "semicolonBetween" | "sentencesBetween",
  { say }: Language,
): string {
  return say(key, { ONE: "", OTHER: "" });
}

/** Joins the first `most` texts, and counts the others: `A, B and 2 more`. */
export function joinFirst(texts: readonly string[], most: number, language: Language): string {
  const shown = texts.slice(0, most);
  const rest = texts.length - shown.length;
  return rest === 0
    ? shown.join(findSeparator("commaBetween", language))
    : language.list([...shown, language.say("moreNames", { COUNT: rest })]);
}

const EXPIRES: Readonly<Record<Expiry["what"], readonly MessageKey[]>> = {
  certificate: ["siteCertificateExpires", "siteCertificateExpiresOn"],
  domain: ["siteDomainExpires", "siteDomainExpiresOn"],
};
const EXPIRED = ["siteCertificateExpired", "siteCertificateExpiredOn"] as const;

/** `Shop: certificate expires in 5 days (2026-12-01)`; `day` is the date, if it is known. */
export function sayExpiry(
  name: string,
  { what, count, unit }: Expiry,
  day: string | undefined,
  language: Language,
): string {
  const [undated, dated] = count < 0 ? EXPIRED : EXPIRES[what];
  const values = { NAME: language.isolate(name), WHEN: language.relative(count, unit) };
  return day === undefined
    ? language.say(undated!, values)
    : language.say(dated!, { ...values, DAY: language.day(day) });
}

/** The expiry that an event is about, with its date, and the rest of its error. */
export function splitExpiry(
  { error, expiry = "" }: Pick<SiteEvent, "error" | "expiry">,
): { expiry: Expiry | undefined; day?: string; rest: string } {
  const own = withoutLocations(error);
  const known = readExpiry(expiry);
  if (known === undefined || !own.startsWith(expiry)) return { expiry: known, rest: error };
  const [, day, rest = ""] = /^(?: \((\d{4}-\d\d-\d\d)\))?[\s,:]*(.*)$/s
    .exec(own.slice(expiry.length))!;
  return { expiry: known, ...day === undefined ? {} : { day }, rest };
}
