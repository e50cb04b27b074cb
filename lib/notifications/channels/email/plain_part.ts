import type { Told, ToldEvent } from "../../tell.ts";
import { plainText } from "../../../text/plain_text.ts";

/** Who sends a mail, as its end says. */
export interface Sender {
  monitor: string;
  home?: string;
}

/** A message as plain text: for those who read so, for watches and for searching. */
export function plainPart(told: Told, sender: Sender): string {
  const { headline, events } = told;
  const parts = events.map((event) => eventLines(event).join("\n"));
  const opening = events.length === 1 ? [] : [plainText(headline)];
  return `${[...opening, ...parts].join("\n\n\n")}\n\n${closing(sender)}`;
}

/** The end of every plain text; programs take what follows two dashes for a signature. */
export function closing({ monitor, home }: Sender): string {
  const where = home === undefined ? [] : [home];
  return ["-- ", `Sent by the monitor of ${plainText(monitor)}`, ...where, ""].join("\n");
}

function eventLines({ sign, headline, sentence, facts, links }: ToldEvent): string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2;
  return [
    `${sign} ${plainText(headline)}`,
    plainText(sentence),
    ...(facts.length === 0 ? [] : [""]),
    ...facts.map(({ label, value }) => `${`${label}:`.padEnd(width)}${plainText(value)}`),
    ...(links.length === 0 ? [] : [""]),
    ...links.map(({ text, address }) => `${text}: ${plainText(address)}`),
  ];
}
