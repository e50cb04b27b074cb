import { assertEquals } from "@std/assert";
import {
  describeVotes,
  readVotes,
  withError,
  withoutLocations,
} from "../../../lib/evaluation/location_words.ts";
import type { LocationResult } from "../../../lib/evaluation/results.ts";

const NOW = Temporal.Instant.from("2026-11-23T10:05:00Z");

function votes(states: Record<string, LocationResult["state"]>): LocationResult[] {
  return Object.entries(states).map(([location, state]) => ({
    ...{ location, state, code: 0, attempts: 1, confirmed: NOW, isNew: true },
  }));
}

Deno.test("the locations of a failure are named, with those that see something else", () => {
  const cases: [states: Record<string, LocationResult["state"]>, text: string][] = [
    [{ Rome: "down", Oslo: "down", Bonn: "up" }, "down in Rome and Oslo (up in Bonn)"],
    [{ Rome: "down", Oslo: "down" }, "down in Rome and Oslo"],
    [{ Rome: "down", Oslo: "down", Bonn: "down" }, "down in all 3 locations"],
    [
      { Rome: "down", Oslo: "down", Bonn: "unknown" },
      "down in Rome and Oslo (no result from Bonn)",
    ],
    [
      { Rome: "up", Oslo: "down", Bonn: "degraded", Kyoto: "unknown", Lima: "up" },
      "down in Oslo (degraded in Bonn; up in Rome and Lima; no result from Kyoto)",
    ],
    [{ Rome: "degraded", Oslo: "degraded", Bonn: "up" }, "degraded in Rome and Oslo (up in Bonn)"],
    [
      {
        "Tokyo (edge)": "down",
        "(EU): west": "down",
        "a\nb": "up",
        "Rome [IT]": "up",
        "東京（港区）": "up",
      },
      "down in Tokyo edge and EU west (up in a b, Rome IT and 東京 港区)",
    ],
    [
      Object.fromEntries(Array.from("ABCDEFGHIJ", (name) => [name, name < "H" ? "down" : "up"])),
      "down in A, B, C, D, E and 2 more (up in H, I and J)",
    ],
  ];
  for (const [states, text] of cases) {
    assertEquals(describeVotes(votes(states)), text);
    const [, state, places] = /^(\S+) (.*)$/.exec(text)!;
    assertEquals(readVotes(`${text}: got 4: no`), { state, places, reason: "got 4: no" });
  }
});

Deno.test("a state that a sentence has named is not repeated, also with errors of older versions", () => {
  const older = "down from 2 of 3 (Rome, Oslo; up from Bonn): reset";
  assertEquals(withoutLocations(older), "reset");
  const cases = [
    ["Shop is still down", "down in Rome: reset", "Shop is still down in Rome: reset"],
    [
      "Shop is down",
      older,
      "Shop is down from 2 of 3 (Rome, Oslo; up from Bonn): reset",
    ],
    [
      "Shop has degraded performance",
      "degraded in Rome and Oslo: slow",
      "Shop has degraded performance in Rome and Oslo: slow",
    ],
    [
      "Shop has degraded performance",
      "down in Rome (up in Oslo): reset",
      "Shop has degraded performance, down in Rome (up in Oslo): reset",
    ],
    [
      "Shop has been down for 1 hour",
      "down in Rome (up in Oslo): reset",
      "Shop has been down for 1 hour in Rome (up in Oslo): reset",
    ],
    ["Shop is down", "down in 5 minutes", "Shop is down: down in 5 minutes"],
    ["Shop is down", "", "Shop is down"],
  ] as const;
  for (const [sentence, error, text] of cases) assertEquals(withError(sentence, error), text);
});
