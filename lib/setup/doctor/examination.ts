import type { Facts } from "./facts.ts";

/** What an examination came to: `well`, something to `change`, something to know, or `unexamined`. */
export type Verdict = "well" | "change" | "note" | "unexamined";

/** One thing that an examination found. */
export interface Finding {
  verdict: Verdict;
  /** What is so, as a sentence without its full stop. */
  says: string;
  /** What a person can do about it. */
  cure?: string;
}

/** Judges one side of the set-up; nothing where that side is not wanted. */
export type Examination = (facts: Facts) => Finding[];

/** That all is well. */
export function well(says: string): Finding[] {
  return [{ verdict: "well", says }];
}

/** That something has to be changed. */
export function change(says: string, cure?: string): Finding {
  return { verdict: "change", says, cure };
}

/** That something is as it may be, and good to know. */
export function note(says: string, cure?: string): Finding {
  return { verdict: "note", says, cure };
}

/** That something could not be looked at, with the reason. */
export function unexamined(why: string): Finding[] {
  return [{ verdict: "unexamined", says: why }];
}
