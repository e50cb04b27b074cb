import * as v from "valibot";
import { PAGES_KEYS } from "../keys/page_keys.ts";
import type { Problem } from "../../io/problem.ts";
import { meantAddress, meantDomain, meantLanguage, meantList, meantSource } from "./guesses.ts";
import { readPart } from "./read_part.ts";

const PAGES = v.object(PAGES_KEYS);
/** `pages` as read, with every default. */
export type PageOptions = v.InferOutput<typeof PAGES>;

/** Reads `pages`: what is wrong in it costs nothing but itself. */
export function readPages(value: unknown): { pages: PageOptions; problems: Problem[] } {
  const { values, problems } = readPart(value ?? {}, {
    path: ["pages"],
    keys: PAGES_KEYS,
    guesses: { lang: meantLanguage, live: meantSource, images: meantList, origins: meantList },
    items: { images: { guess: meantDomain }, origins: { guess: meantAddress } },
  });
  return { pages: values, problems };
}
