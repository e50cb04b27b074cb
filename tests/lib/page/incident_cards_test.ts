import { assertEquals } from "@std/assert";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import { groupIntoCards, sortUpdates } from "../../../lib/page/incident_cards.ts";
import type { ListedIncident } from "../../../lib/page/incidents.ts";
import { sitesUp } from "../../helpers/page_views.ts";

/** An outage of a site whose slug is its id, some seconds after 10:00, with further lines of its file. */
function failing(id: string, seconds: number, more = "error: refused\n", kind = "down") {
  const start = Temporal.Instant.from("2026-11-21T10:00:00Z").add({ seconds });
  const text = `slug: ${id}\nkind: ${kind}\nstart: ${start}\nconfirmed: ${start}\n${more}`;
  return [id, parseStoredIncident(text)!] as const;
}

const sites = (await sitesUp({ name: "a" }, { name: "stripe" }, { name: "maps" }))
  .map((one, index) => ({ ...one, site: { ...one.site, isExternal: index > 0 } }));

/** Each card as the ids of its incidents, what they have in common, and the ids of their effects. */
function cardsOf(...incidents: ListedIncident[]) {
  return groupIntoCards(incidents, { sites }).map(({ incidents, alike, effects }) =>
    [
      incidents.map(([id]) => id).join(" "),
      alike ?? "",
      effects.map(([id]) => id).join(" "),
    ].join("|")
  );
}

const CASES: Readonly<Record<string, [ListedIncident[], string[]]>> = {
  "the same error within two minutes is one card": [
    [failing("a", 120), failing("b", 0), failing("c", 60)],
    ["a b c|error|"],
  ],
  "sites that others operate have cards of their own": [
    [failing("a", 0), failing("stripe", 10), failing("b", 20), failing("maps", 30)],
    ["a b|error|", "stripe maps|error|"],
  ],
  "a chain of starts doesn't make a card longer than two minutes": [
    [failing("a", 0), failing("b", 120), failing("c", 121)],
    ["a b|error|", "c||"],
  ],
  "incidents that lasted differently have their own cards": [
    [
      failing("a", 0, "end: 2026-11-21T10:20:00Z\nerror: refused\n"),
      failing("b", 10, "end: 2026-11-21T13:00:00Z\nerror: refused\n"),
      failing("c", 20, "end: 2026-11-21T10:21:00Z\nerror: refused\n"),
      failing("d", 30),
    ],
    ["a c|error|", "b||", "d||"],
  ],
  "other errors, none and another state have their own cards": [
    [
      failing("a", 0),
      failing("b", 0, "error: timed out\n"),
      failing("c", 0, ""),
      failing("d", 0, ""),
      failing("e", 0, "error: refused\n", "degraded"),
    ],
    ["a||", "b||", "c||", "d||", "e||"],
  ],
  "the present error of an open incident counts": [
    [
      failing("a", 0),
      failing(
        "b",
        0,
        "error: timed out\nreasons:\n  - at: 2026-11-21T10:30:00Z\n    confirmed: 2026-11-21T10:30:00Z\n    error: refused\n",
      ),
    ],
    ["a b|error|"],
  ],
  "effects are in the card of their cause, also indirect ones": [
    [
      failing("shop", 9, "cause: web\n"),
      failing("web", 5, "cause: router\n"),
      failing("router", 0),
    ],
    ["router||shop web"],
  ],
  "the same cause that isn't listed is one card, whatever the errors and times": [
    [
      failing("a", 0, "cause: db.example:5432\nerror: x\n"),
      failing("b", 900, "cause: db.example:5432\n", "degraded"),
      failing("c", 0, "cause: gone\n"),
    ],
    ["a b|cause|", "c||"],
  ],
  "incidents that name each other as their cause stay": [
    [failing("a", 0, "cause: b\n"), failing("b", 0, "cause: a\n"), failing("c", 0, "cause: c\n")],
    ["a||", "b||", "c||"],
  ],
};

for (const [name, [incidents, expected]] of Object.entries(CASES)) {
  Deno.test(`cards of incidents: ${name}`, () => assertEquals(cardsOf(...incidents), expected));
}

Deno.test("updates of a card are sorted, and those of a shared issue are listed once", () => {
  const updates = (...texts: string[]) =>
    `updates:\n${
      texts.map((text, index) => `  - at: '2026-11-21T10:${10 + index}:00Z'\n    text: ${text}\n`)
        .join("")
    }`;
  const manual = parseStoredIncident(
    "kind: manual\nname: Banks\nstart: 2026-11-21T10:00:00Z\nissue: 3\ntext: The bank\n" +
      updates("same"),
  )!;
  const all = [failing("a", 0, updates("same", "more")), ["m", manual] as const];
  assertEquals(sortUpdates(all).map(({ text }) => text), ["more", "same", "The bank"]);
});
