import { type Phase, PHASES } from "../history/yaml_file.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";

/** Keys of the words for phases. */
export const PHASE_KEYS = {
  investigating: "investigating",
  identified: "identified",
  monitoring: "monitoring",
  resolved: "resolved",
  "post-mortem": "postMortem",
} as const satisfies Record<Phase, MessageKey>;

/** Takes the phase off a comment that starts with one; `undefined` if it starts with none. */
export type ReadPhase = (comment: string) => { phase: Phase; text: string } | undefined;

/** A word with its colon, plain or bold, the colon on either side of the asterisks and also as on Asian keyboards. */
const START =
  /^\p{Cf}*(?<bold>\*\*|__|)(?<word>[^\s*_:：][^*_:：\n]{0,59}?)[^\S\n]?(?:[:：]\k<bold>|\k<bold>[^\S\n]?[:：])/u;

/**
 * Reads phases in English and in some languages, without regard to case and accents.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const french = createLanguage("fr", mergeMessages({ identified: "Identifié" }));
 * const read = createPhaseReader([french]);
 * assertEquals(read("**IDENTIFIE :** un câble"), { phase: "identified", text: "un câble" });
 * assertEquals(read("Identified: a cable"), { phase: "identified", text: "a cable" });
 * assertEquals(read("Question: why?"), undefined);
 * ```
 */
export function createPhaseReader(languages: readonly Pick<Language, "say">[]): ReadPhase {
  const phases = new Map(PHASES.flatMap((phase) => [
    [fold(phase), phase] as const,
    ...languages.map(({ say }) => [fold(say(PHASE_KEYS[phase])), phase] as const),
  ]));
  return (comment) => {
    const phase = phases.get(fold(START.exec(comment)?.groups?.["word"] ?? ""));
    return phase && { phase, text: takeOffWord(comment) };
  };
}

/** A comment without the word and the colon with which it starts, if it does. */
export function takeOffWord(comment: string): string {
  return comment.replace(START, "").trim();
}

/** Marks that people leave out, other than the vowels of Hindi, which are marks too. */
const ACCENTS =
  /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}]\p{M}*)\p{M}/gu;

/** A word without what people leave out or type in another way: case, accents, and marks of direction. */
function fold(word: string): string {
  return word.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD")
    .replaceAll(/\p{Cf}/gu, "").replaceAll(ACCENTS, "").trim();
}
