import type { DrawBadge } from "./badge.ts";

/** Takes the values of secrets out of a text. */
export type Redact = (text: string) => string;

/** What it takes to show others how sites are. */
export interface Showing {
  draw: DrawBadge;
  redact: Redact;
}
