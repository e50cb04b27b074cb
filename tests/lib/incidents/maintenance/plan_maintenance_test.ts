import { assertEquals } from "@std/assert";
import type { MaintenancePlans } from "../../../../lib/incidents/maintenance/plan_maintenance.ts";
import {
  announced,
  at,
  changeText,
  clockOf,
  KeptMaintenance,
  planned,
} from "../../../helpers/kept_maintenance.ts";

/** A run, or somebody who ends a window by hand, or a file that is damaged; and what comes of it. */
type Step = [
  time: string,
  what: Partial<MaintenancePlans> | { stop: string } | { damage: string },
  /** What becomes of windows, and the sites that are in maintenance until when. */
  ...expected: string[],
];

const MOVE = planned("Move", "10:00", "11:00");
const NOTHING = {};

const STORIES: Readonly<Record<string, Step[]>> = {
  "a window begins and is over": [
    ["09:55", { configured: [MOVE] }],
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:05", { configured: [MOVE] }, "shop until 11:00"],
    ["10:55", { configured: [MOVE] }, "shop until 11:00"],
    ["11:00", { configured: [MOVE] }, "end move 10:00-11:00, over 11:00"],
    ["11:05", { configured: [MOVE] }],
  ],
  "runs are late": [
    ["10:07", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["11:58", { configured: [MOVE] }, "end move 10:00-11:00, over 11:00"],
  ],
  "nobody runs while it goes on": [
    ["09:55", { configured: [MOVE] }],
    ["11:05", { configured: [MOVE] }],
  ],
  "no run for days after it has begun": [
    ["10:05", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["25T10:00", NOTHING, "end move 10:00-11:00, over 11:00"],
  ],
  "made longer while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Move", "10:00", "12:00")] },
      "change move 10:00-12:00",
      "shop until 12:00",
    ],
    ["12:00", NOTHING, "end move 10:00-12:00, over 12:00"],
  ],
  "made longer just after it was over": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["11:00", { configured: [MOVE] }, "end move 10:00-11:00, over 11:00"],
    [
      "11:05",
      { configured: [planned("Move", "10:00", "12:00")] },
      "change move 10:00-12:00",
      "shop until 12:00",
    ],
    ["12:00", NOTHING, "end move 10:00-12:00, over 12:00"],
  ],
  "made shorter while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:10",
      { configured: [planned("Move", "10:00", "10:20")] },
      "change move 10:00-10:20",
      "shop until 10:20",
    ],
    ["10:20", NOTHING, "end move 10:00-10:20, over 10:20"],
  ],
  // It is no longer in the configuration's windows, so that there is no telling that it was made shorter.
  "made so short that it is over": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Move", "10:00", "10:20")] },
      "end move 10:00-11:00, over 10:30",
    ],
  ],
  "of other sites while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Move", "10:00", "11:00", "post", "shop")] },
      "change move 10:00-11:00",
      "post until 11:00",
      "shop until 11:00",
    ],
    // The order says nothing, and files keep numbers before all else.
    [
      "10:32",
      {
        configured: [planned("Move", "10:00", "11:00", "shop", "post")],
      },
      "post until 11:00",
      "shop until 11:00",
    ],
    [
      "10:35",
      { configured: [planned("Move", "10:00", "11:00", "post")] },
      "change move 10:00-11:00",
      "post until 11:00",
    ],
  ],
  "sites are called by numbers": [
    [
      "10:00",
      { configured: [planned("Move", "10:00", "11:00", "shop", "404", "7")] },
      "begin move 10:00-11:00",
      "404 until 11:00",
      "7 until 11:00",
      "shop until 11:00",
    ],
    [
      "10:05",
      { configured: [planned("Move", "10:00", "11:00", "shop", "404", "7")] },
      "404 until 11:00",
      "7 until 11:00",
      "shop until 11:00",
    ],
  ],
  "renamed while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Big move", "10:00", "11:00")] },
      "end move 10:00-11:00, over 10:30",
      "begin big-move 10:00-11:00",
      "shop until 11:00",
    ],
    ["11:00", NOTHING, "end big-move 10:00-11:00, over 11:00"],
  ],
  "removed while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:30", NOTHING, "end move 10:00-11:00, over 10:30"],
    ["10:35", NOTHING],
  ],
  "put off while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Move", "14:00", "15:00")] },
      "end move 10:00-11:00, over 10:30",
    ],
    [
      "14:00",
      { configured: [planned("Move", "14:00", "15:00")] },
      "begin move-2 14:00-15:00",
      "shop until 15:00",
    ],
  ],
  "moved to an earlier time while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "10:30",
      { configured: [planned("Move", "09:30", "10:45")] },
      "end move 10:00-11:00, over 10:30",
      "begin move-2 09:30-10:45",
      "shop until 10:45",
    ],
    ["10:45", NOTHING, "end move-2 09:30-10:45, over 10:45"],
  ],
  "the configuration is in error while it goes on": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:30", { isPartial: true }, "shop until 11:00"],
    ["10:55", { isPartial: true }, "shop until 11:00"],
    ["11:00", { isPartial: true }, "end move 10:00-11:00, over 11:00"],
  ],
  "the configuration is in error, then right again, and has another end": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:30", { isPartial: true }, "shop until 11:00"],
    [
      "10:35",
      { configured: [planned("Move", "10:00", "10:50")] },
      "change move 10:00-10:50",
      "shop until 10:50",
    ],
  ],
  "the configuration is in error in another place": [
    [
      "10:00",
      { configured: [MOVE], isPartial: true },
      "begin move 10:00-11:00",
      "shop until 11:00",
    ],
    [
      "10:30",
      { configured: [planned("Move", "10:00", "12:00")], isPartial: true },
      "change move 10:00-12:00",
      "shop until 12:00",
    ],
  ],
  "two of one name, one after the other": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    [
      "11:00",
      { configured: [MOVE, planned("Move", "11:00", "12:00")] },
      "end move 10:00-11:00, over 11:00",
      "begin move-2 11:00-12:00",
      "shop until 12:00",
    ],
    ["12:00", NOTHING, "end move-2 11:00-12:00, over 12:00"],
  ],
  "two of one name and begin, of other sites and lengths": [
    [
      "10:00",
      { configured: [MOVE, planned("Move", "10:00", "12:00", "post")] },
      "begin move 10:00-11:00",
      "begin move-2 10:00-12:00",
      "shop until 11:00",
      "post until 12:00",
    ],
    [
      "11:00",
      { configured: [MOVE, planned("Move", "10:00", "12:00", "post")] },
      "end move 10:00-11:00, over 11:00",
      "post until 12:00",
    ],
  ],
  "two that overlap": [
    [
      "10:30",
      { configured: [MOVE, planned("Test", "10:30", "12:00")] },
      "begin move 10:00-11:00",
      "begin test 10:30-12:00",
      "shop until 12:00",
    ],
    [
      "11:00",
      { configured: [MOVE, planned("Test", "10:30", "12:00")] },
      "end move 10:00-11:00, over 11:00",
      "shop until 12:00",
    ],
  ],
  "one within the other": [
    [
      "10:00",
      {
        configured: [planned("Move", "10:00", "12:00"), planned("Test", "10:30", "11:00")],
      },
      "begin move 10:00-12:00",
      "shop until 12:00",
    ],
    [
      "10:30",
      { configured: [planned("Move", "10:00", "12:00"), planned("Test", "10:30", "11:00")] },
      "begin test 10:30-11:00",
      "shop until 12:00",
    ],
    [
      "11:00",
      { configured: [planned("Move", "10:00", "12:00")] },
      "end test 10:30-11:00, over 11:00",
      "shop until 12:00",
    ],
  ],
  "two that touch": [
    [
      "10:55",
      { configured: [MOVE, planned("Test", "11:00", "12:00")] },
      "begin move 10:00-11:00",
      "shop until 12:00",
    ],
    [
      "11:00",
      { configured: [planned("Test", "11:00", "12:00")] },
      "end move 10:00-11:00, over 11:00",
      "begin test 11:00-12:00",
      "shop until 12:00",
    ],
  ],
  "ended by hand": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:20", { stop: "move" }],
    ["10:25", { configured: [MOVE] }],
    // Nor where it is made longer: somebody has said that it is over.
    ["10:30", { configured: [planned("Move", "10:00", "12:00")] }],
    // Another begin is another window.
    [
      "11:30",
      { configured: [planned("Move", "11:30", "12:00")] },
      "begin move-2 11:30-12:00",
      "shop until 12:00",
    ],
  ],
  "its file is damaged": [
    ["10:00", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["10:20", { damage: "move" }],
    ["10:25", { configured: [MOVE] }, "begin move-2 10:00-11:00", "shop until 11:00"],
    ["11:00", NOTHING, "end move-2 10:00-11:00, over 11:00"],
  ],
  "a clock that is set back while it goes on": [
    ["10:30", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["09:30", { configured: [MOVE] }],
    ["10:05", { configured: [MOVE] }, "shop until 11:00"],
  ],
  "a clock that was an hour ahead": [
    ["11:05", { configured: [MOVE] }],
    ["10:10", { configured: [MOVE] }, "begin move 10:00-11:00", "shop until 11:00"],
    ["11:10", { configured: [MOVE] }, "end move 10:00-11:00, over 11:00"],
    ["10:20", { configured: [MOVE] }, "change move 10:00-11:00", "shop until 11:00"],
  ],
  "a clock that was days ahead": [
    [
      "25T10:30",
      { configured: [planned("Move", "25T10:00", "25T11:00")] },
      "begin move 25T10:00-25T11:00",
      "shop until 25T11:00",
    ],
    ["10:30", {
      configured: [planned("Move", "22T10:00", "22T11:00")],
    }, "end move 25T10:00-25T11:00, over 25T10:00"],
    [
      "25T10:00",
      { configured: [planned("Move", "25T10:00", "25T11:00")] },
      "begin move-2 25T10:00-25T11:00",
      "shop until 25T11:00",
    ],
  ],
  "an issue announces it ahead": [
    ["08:00", { announced: [announced(12, "10:00", "11:00")] }, "announce router 10:00-11:00"],
    ["10:00", { announced: [announced(12, "10:00", "11:00")] }, "shop until 11:00"],
    [
      "11:00",
      {
        announced: [announced(12, "10:00", "11:00")],
      },
      "end router 10:00-11:00, over 11:00",
      "planned close issue #12",
    ],
    ["11:05", { announced: [announced(12, "10:00", "11:00")] }, "planned close issue #12"],
    ["11:10", { announced: [] }],
  ],
  "an issue announces it between two runs": [
    ["08:00", { announced: [announced(12, "10:01", "10:04")] }, "announce router 10:01-10:04"],
    ["10:00", { announced: [announced(12, "10:01", "10:04")] }],
    [
      "10:05",
      {
        announced: [announced(12, "10:01", "10:04")],
      },
      "end router 10:01-10:04, over 10:04",
      "planned close issue #12",
    ],
  ],
  "an issue announces what is over": [
    ["12:00", { announced: [announced(12, "10:00", "11:00")] }, "planned close issue #12"],
  ],
  "issues can't be read": [
    ["08:00", { announced: [announced(12, "10:00", "11:00")] }, "announce router 10:00-11:00"],
    ["10:00", { announced: undefined }, "shop until 11:00"],
    ["10:55", { announced: undefined }, "shop until 11:00"],
    ["11:00", { announced: undefined }, "end router 10:00-11:00, over 11:00"],
  ],
  "what an issue announces can't be read any more": [
    [
      "10:00",
      {
        announced: [announced(12, "10:00", "11:00")],
      },
      "begin router 10:00-11:00",
      "shop until 11:00",
    ],
    ["10:10", { announced: [], unclear: [12] }, "shop until 11:00"],
    ["10:20", { announced: [], unclear: [13] }, "end router 10:00-11:00, over 10:20"],
  ],
  "an issue is closed early": [
    [
      "10:00",
      {
        announced: [announced(12, "10:00", "11:00")],
      },
      "begin router 10:00-11:00",
      "shop until 11:00",
    ],
    ["10:20", { announced: [] }, "end router 10:00-11:00, over 10:20"],
    ["10:25", { announced: [] }],
  ],
  "an issue is closed before it begins, and opened again": [
    ["08:00", { announced: [announced(12, "10:00", "11:00")] }, "announce router 10:00-11:00"],
    ["08:30", { announced: [] }, "end router 10:00-11:00, over 10:00"],
    ["09:00", { announced: [announced(12, "10:00", "11:00")] }, "announce router-2 10:00-11:00"],
    ["10:00", { announced: [announced(12, "10:00", "11:00")] }, "shop until 11:00"],
  ],
  "an issue is opened again with another end": [
    [
      "10:00",
      {
        announced: [announced(12, "10:00", "11:00")],
      },
      "begin router 10:00-11:00",
      "shop until 11:00",
    ],
    ["10:20", { announced: [] }, "end router 10:00-11:00, over 10:20"],
    [
      "10:40",
      { announced: [announced(12, "10:00", "12:00")] },
      "begin router-2 10:40-12:00",
      "shop until 12:00",
    ],
    ["10:45", { announced: [announced(12, "10:00", "12:00")] }, "shop until 12:00"],
    [
      "12:00",
      {
        announced: [announced(12, "10:00", "12:00")],
      },
      "end router-2 10:40-12:00, over 12:00",
      "planned close issue #12",
    ],
  ],
  "an issue is put off before it begins, and brought forward": [
    ["08:00", { announced: [announced(12, "10:00", "11:00")] }, "announce router 10:00-11:00"],
    ["08:30", { announced: [announced(12, "12:00", "13:00")] }, "change router 12:00-13:00"],
    ["10:00", { announced: [announced(12, "12:00", "13:00")] }],
    [
      "10:30",
      { announced: [announced(12, "10:00", "11:00", "Switch")] },
      "change router 10:00-11:00",
      "shop until 11:00",
    ],
  ],
  "an issue is put off while it goes on": [
    [
      "10:00",
      {
        announced: [announced(12, "10:00", "11:00")],
      },
      "begin router 10:00-11:00",
      "shop until 11:00",
    ],
    [
      "10:30",
      { announced: [announced(12, "14:00", "15:00")] },
      "end router 10:00-11:00, over 10:30",
      "announce router-2 14:00-15:00",
    ],
    ["14:00", { announced: [announced(12, "14:00", "15:00")] }, "shop until 15:00"],
  ],
  "an issue is put off between two runs, and the clock is set back while issues can't be read": [
    [
      "10:00",
      { announced: [announced(12, "10:00", "11:10")] },
      "begin router 10:00-11:10",
      "shop until 11:10",
    ],
    [
      "11:05",
      { announced: [{ ...announced(12, "11:01", "11:20"), sites: new Map([["post", "down"]]) }] },
      "end router 10:00-11:10, over 11:01",
      "begin router-2 11:01-11:20",
      "post until 11:20",
    ],
    ["10:54", { announced: undefined }],
    ["11:10", { announced: undefined }, "post until 11:20"],
  ],
  "an issue is put off by a minute after it has begun": [
    [
      "10:00",
      { announced: [announced(12, "10:00", "11:00")] },
      "begin router 10:00-11:00",
      "shop until 11:00",
    ],
    [
      "10:05",
      { announced: [announced(12, "10:01", "11:00")] },
      "end router 10:00-11:00, over 10:01",
      "begin router-2 10:01-11:00",
      "shop until 11:00",
    ],
    ["10:06", { announced: [announced(12, "10:01", "11:00")] }, "shop until 11:00"],
  ],
  "two issues of one name": [
    [
      "09:00",
      { announced: [announced(12, "10:00", "11:00"), announced(13, "10:00", "12:00")] },
      "announce router 10:00-11:00",
      "announce router-2 10:00-12:00",
    ],
    [
      "10:00",
      {
        announced: [announced(13, "10:00", "12:00")],
      },
      "end router 10:00-11:00, over 10:00",
      "shop until 12:00",
    ],
  ],
  "the configuration and an issue have the same window": [
    [
      "10:00",
      { configured: [MOVE], announced: [announced(12, "10:00", "11:00", "Move")] },
      "begin move 10:00-11:00",
      "begin move-2 10:00-11:00",
      "shop until 11:00",
    ],
    ["10:30", { configured: [MOVE] }, "end move-2 10:00-11:00, over 10:30", "shop until 11:00"],
  ],
};

Deno.test("windows follow their plans, whatever becomes of these", async (t) => {
  for (const [story, steps] of Object.entries(STORIES)) {
    await t.step(story, () => {
      const kept = new KeptMaintenance();
      for (const [time, what, ...expected] of steps) {
        const idOf = (name: string) =>
          [...kept.texts.keys()].find((id) => id.endsWith(`-${name}`))!;
        if ("stop" in what) kept.stop(idOf(what.stop), at(time));
        else if ("damage" in what) kept.texts.set(idOf(what.damage), "<<<<<<< HEAD\n");
        else {
          const { changes, windows, effects } = kept.run(at(time), what);
          const found = [
            ...changes.map(changeText),
            ...[...windows].map(([slug, { until }]) => `${slug} until ${clockOf(until)}`),
            ...effects.map((effect) => `planned ${effect.description.split(",")[0]}`),
          ];
          assertEquals(found.sort(), expected.sort(), time);
        }
      }
    });
  }
});
