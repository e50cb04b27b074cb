import { assertEquals } from "@std/assert";
import {
  announced,
  at,
  changeText,
  clockOf,
  KeptMaintenance,
  planned,
} from "../../../helpers/kept_maintenance.ts";

/**
 * Stories in lines of `time input → result`. The input is a list of windows, of the configuration
 * (`Move 10:00-11:00 shop post`) or of an issue (`#12 10:00-11:00`), or `partial` (an error in the
 * configuration), `unread` (issues can't be read), `unclear #12`; or somebody stops a window, or
 * damages its file. The result are changes of windows, sites in maintenance with its end, and
 * planned effects.
 */
const STORIES: Readonly<Record<string, string[]>> = {
  "a window starts and ends": [
    "09:55 Move 10:00-11:00 → nothing",
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:05 Move 10:00-11:00 → shop until 11:00",
    "10:55 Move 10:00-11:00 → shop until 11:00",
    "11:00 Move 10:00-11:00 → end move 10:00-11:00, over 11:00",
    "11:05 Move 10:00-11:00 → nothing",
  ],
  "runs are late": [
    "10:07 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "11:58 Move 10:00-11:00 → end move 10:00-11:00, over 11:00",
  ],
  "no run while it is ongoing": [
    "09:55 Move 10:00-11:00 → nothing",
    "11:05 Move 10:00-11:00 → nothing",
  ],
  "no run for days after its start": [
    "10:05 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "25T10:00 nothing → end move 10:00-11:00, over 11:00",
  ],
  "made longer while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 10:00-12:00 → change move 10:00-12:00; shop until 12:00",
    "12:00 nothing → end move 10:00-12:00, over 12:00",
  ],
  "made longer just after it was over": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "11:00 Move 10:00-11:00 → end move 10:00-11:00, over 11:00",
    "11:05 Move 10:00-12:00 → change move 10:00-12:00; shop until 12:00",
    "12:00 nothing → end move 10:00-12:00, over 12:00",
  ],
  "made shorter while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:10 Move 10:00-10:20 → change move 10:00-10:20; shop until 10:20",
    "10:20 nothing → end move 10:00-10:20, over 10:20",
  ],
  // It is no longer in the configuration's windows, so that there is no telling that it was made shorter.
  "made so short that it is over": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 10:00-10:20 → end move 10:00-11:00, over 10:30",
  ],
  "of other sites while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 10:00-11:00 post shop → change move 10:00-11:00; post until 11:00; shop until 11:00",
    // The order is irrelevant, because files sort numbers first.
    "10:32 Move 10:00-11:00 shop post → post until 11:00; shop until 11:00",
    "10:35 Move 10:00-11:00 post → change move 10:00-11:00; post until 11:00",
  ],
  "sites are called by numbers": [
    "10:00 Move 10:00-11:00 shop 404 7 → begin move 10:00-11:00; 404 until 11:00; 7 until 11:00; shop until 11:00",
    "10:05 Move 10:00-11:00 shop 404 7 → 404 until 11:00; 7 until 11:00; shop until 11:00",
  ],
  "renamed while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Big move 10:00-11:00 → end move 10:00-11:00, over 10:30; begin big-move 10:00-11:00; shop until 11:00",
    "11:00 nothing → end big-move 10:00-11:00, over 11:00",
  ],
  "removed while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 nothing → end move 10:00-11:00, over 10:30",
    "10:35 nothing → nothing",
  ],
  "postponed while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 14:00-15:00 → end move 10:00-11:00, over 10:30",
    "14:00 Move 14:00-15:00 → begin move-2 14:00-15:00; shop until 15:00",
  ],
  "moved to an earlier time while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 09:30-10:45 → end move 10:00-11:00, over 10:30; begin move-2 09:30-10:45; shop until 10:45",
    "10:45 nothing → end move-2 09:30-10:45, over 10:45",
  ],
  "the configuration is in error while it is ongoing": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 partial → shop until 11:00",
    "10:55 partial → shop until 11:00",
    "11:00 partial → end move 10:00-11:00, over 11:00",
  ],
  "the configuration is in error, then right again, and has another end": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:30 partial → shop until 11:00",
    "10:35 Move 10:00-10:50 → change move 10:00-10:50; shop until 10:50",
  ],
  "the configuration is in error in another place": [
    "10:00 Move 10:00-11:00; partial → begin move 10:00-11:00; shop until 11:00",
    "10:30 Move 10:00-12:00; partial → change move 10:00-12:00; shop until 12:00",
  ],
  "two of one name, one after the other": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "11:00 Move 10:00-11:00; Move 11:00-12:00 → end move 10:00-11:00, over 11:00; begin move-2 11:00-12:00; shop until 12:00",
    "12:00 nothing → end move-2 11:00-12:00, over 12:00",
  ],
  "two with the same name and start, and other sites and lengths": [
    "10:00 Move 10:00-11:00; Move 10:00-12:00 post → begin move 10:00-11:00; begin move-2 10:00-12:00; shop until 11:00; post until 12:00",
    "11:00 Move 10:00-11:00; Move 10:00-12:00 post → end move 10:00-11:00, over 11:00; post until 12:00",
  ],
  "two that overlap": [
    "10:30 Move 10:00-11:00; Test 10:30-12:00 → begin move 10:00-11:00; begin test 10:30-12:00; shop until 12:00",
    "11:00 Move 10:00-11:00; Test 10:30-12:00 → end move 10:00-11:00, over 11:00; shop until 12:00",
  ],
  "one within the other": [
    "10:00 Move 10:00-12:00; Test 10:30-11:00 → begin move 10:00-12:00; shop until 12:00",
    "10:30 Move 10:00-12:00; Test 10:30-11:00 → begin test 10:30-11:00; shop until 12:00",
    "11:00 Move 10:00-12:00 → end test 10:30-11:00, over 11:00; shop until 12:00",
  ],
  "two that touch": [
    "10:55 Move 10:00-11:00; Test 11:00-12:00 → begin move 10:00-11:00; shop until 12:00",
    "11:00 Test 11:00-12:00 → end move 10:00-11:00, over 11:00; begin test 11:00-12:00; shop until 12:00",
  ],
  "ended by hand": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:20 stop move → nothing",
    "10:25 Move 10:00-11:00 → nothing",
    // Nor if it is extended: a person has ended it.
    "10:30 Move 10:00-12:00 → nothing",
    // A window with another start is another window.
    "11:30 Move 11:30-12:00 → begin move-2 11:30-12:00; shop until 12:00",
  ],
  "its file is damaged": [
    "10:00 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "10:20 damage move → nothing",
    "10:25 Move 10:00-11:00 → begin move-2 10:00-11:00; shop until 11:00",
    "11:00 nothing → end move-2 10:00-11:00, over 11:00",
  ],
  "a clock that is set back while it is ongoing": [
    "10:30 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "09:30 Move 10:00-11:00 → nothing",
    "10:05 Move 10:00-11:00 → shop until 11:00",
  ],
  "a clock that was an hour ahead": [
    "11:05 Move 10:00-11:00 → nothing",
    "10:10 Move 10:00-11:00 → begin move 10:00-11:00; shop until 11:00",
    "11:10 Move 10:00-11:00 → end move 10:00-11:00, over 11:00",
    "10:20 Move 10:00-11:00 → change move 10:00-11:00; shop until 11:00",
  ],
  "a clock that was days ahead": [
    "25T10:30 Move 25T10:00-25T11:00 → begin move 25T10:00-25T11:00; shop until 25T11:00",
    "10:30 Move 22T10:00-22T11:00 → end move 25T10:00-25T11:00, over 25T10:00",
    "25T10:00 Move 25T10:00-25T11:00 → begin move-2 25T10:00-25T11:00; shop until 25T11:00",
  ],
  "an issue announces it ahead": [
    "08:00 #12 10:00-11:00 → announce router 10:00-11:00",
    "10:00 #12 10:00-11:00 → shop until 11:00",
    "11:00 #12 10:00-11:00 → end router 10:00-11:00, over 11:00; planned close issue #12",
    "11:05 #12 10:00-11:00 → planned close issue #12",
    "11:10 nothing → nothing",
  ],
  "an issue announces it between two runs": [
    "08:00 #12 10:01-10:04 → announce router 10:01-10:04",
    "10:00 #12 10:01-10:04 → nothing",
    "10:05 #12 10:01-10:04 → end router 10:01-10:04, over 10:04; planned close issue #12",
  ],
  "an issue announces a past window": ["12:00 #12 10:00-11:00 → planned close issue #12"],
  "issues can't be read": [
    "08:00 #12 10:00-11:00 → announce router 10:00-11:00",
    "10:00 unread → shop until 11:00",
    "10:55 unread → shop until 11:00",
    "11:00 unread → end router 10:00-11:00, over 11:00",
  ],
  "an announcement becomes unreadable": [
    "10:00 #12 10:00-11:00 → begin router 10:00-11:00; shop until 11:00",
    "10:10 unclear #12 → shop until 11:00",
    "10:20 unclear #13 → end router 10:00-11:00, over 10:20",
  ],
  "an issue is closed early": [
    "10:00 #12 10:00-11:00 → begin router 10:00-11:00; shop until 11:00",
    "10:20 nothing → end router 10:00-11:00, over 10:20",
    "10:25 nothing → nothing",
  ],
  "an issue is closed before the start, and reopened": [
    "08:00 #12 10:00-11:00 → announce router 10:00-11:00",
    "08:30 nothing → end router 10:00-11:00, over 10:00",
    "09:00 #12 10:00-11:00 → announce router-2 10:00-11:00",
    "10:00 #12 10:00-11:00 → shop until 11:00",
  ],
  "an issue is opened again with another end": [
    "10:00 #12 10:00-11:00 → begin router 10:00-11:00; shop until 11:00",
    "10:20 nothing → end router 10:00-11:00, over 10:20",
    "10:40 #12 10:00-12:00 → begin router-2 10:40-12:00; shop until 12:00",
    "10:45 #12 10:00-12:00 → shop until 12:00",
    "12:00 #12 10:00-12:00 → end router-2 10:40-12:00, over 12:00; planned close issue #12",
  ],
  "an issue is postponed before the start, and brought forward": [
    "08:00 #12 10:00-11:00 → announce router 10:00-11:00",
    "08:30 #12 12:00-13:00 → change router 12:00-13:00",
    "10:00 #12 12:00-13:00 → nothing",
    "10:30 #12 Switch 10:00-11:00 → change router 10:00-11:00; shop until 11:00",
  ],
  "an issue is postponed while it is ongoing": [
    "10:00 #12 10:00-11:00 → begin router 10:00-11:00; shop until 11:00",
    "10:30 #12 14:00-15:00 → end router 10:00-11:00, over 10:30; announce router-2 14:00-15:00",
    "14:00 #12 14:00-15:00 → shop until 15:00",
  ],
  "an issue is put off between two runs, and the clock is set back while issues can't be read": [
    "10:00 #12 10:00-11:10 → begin router 10:00-11:10; shop until 11:10",
    "11:05 #12 11:01-11:20 post → end router 10:00-11:10, over 11:01; begin router-2 11:01-11:20; post until 11:20",
    "10:54 unread → nothing",
    "11:10 unread → post until 11:20",
  ],
  "an issue is postponed by a minute after the start": [
    "10:00 #12 10:00-11:00 → begin router 10:00-11:00; shop until 11:00",
    "10:05 #12 10:01-11:00 → end router 10:00-11:00, over 10:01; begin router-2 10:01-11:00; shop until 11:00",
    "10:06 #12 10:01-11:00 → shop until 11:00",
  ],
  "two issues of one name": [
    "09:00 #12 10:00-11:00; #13 10:00-12:00 → announce router 10:00-11:00; announce router-2 10:00-12:00",
    "10:00 #13 10:00-12:00 → end router 10:00-11:00, over 10:00; shop until 12:00",
  ],
  "the configuration and an issue have the same window": [
    "10:00 Move 10:00-11:00; #12 Move 10:00-11:00 → begin move 10:00-11:00; begin move-2 10:00-11:00; shop until 11:00",
    "10:30 Move 10:00-11:00 → end move-2 10:00-11:00, over 10:30; shop until 11:00",
  ],
};

/** Reads the plans of a run. */
function plansOf(items: readonly string[]) {
  const windows = items.flatMap((item) => {
    const found = /^(?:#(\d+) ?)?([A-Z][a-z ]*[a-z])? ?(\S+)-(\d\S+) ?(.*)$/.exec(item);
    if (found === null) return [];
    const [, issue, name = "Router", start, until, slugs] = found;
    const window = planned(name, start!, until!, ...slugs!.split(" ").filter(Boolean));
    return issue === undefined
      ? window
      : { ...announced(Number(issue), start!, until!, name), sites: window.sites };
  });
  return {
    configured: windows.filter(({ source }) => source === "configuration"),
    announced: items.includes("unread")
      ? undefined
      : windows.filter(({ source }) => source === "issue"),
    isPartial: items.includes("partial"),
    unclear: items.flatMap((item) => Number(/^unclear #(\d+)$/.exec(item)?.[1] ?? []) || []),
  };
}

Deno.test("windows follow every change of their plans", async (t) => {
  for (const [story, lines] of Object.entries(STORIES)) {
    await t.step(story, () => {
      const kept = new KeptMaintenance();
      for (const line of lines) {
        const [, time, what, expected] = /^(\S+) (.*) → (.*)$/.exec(line)!;
        const [, action, name] = /^(stop|damage) (\S+)$/.exec(what!) ?? [];
        const id = [...kept.texts.keys()].find((one) => one.endsWith(`-${name}`))!;
        if (action === "stop") kept.stop(id, at(time!));
        else if (action === "damage") kept.texts.set(id, "<<<<<<< HEAD\n");
        else {
          const { changes, windows, over } = kept.run(at(time!), plansOf(what!.split("; ")));
          const found = [
            ...changes.map(changeText),
            ...[...windows].map(([slug, { until }]) => `${slug} until ${clockOf(until)}`),
            ...over.map(({ issue }) => `planned close issue #${issue}`),
          ];
          const wanted = expected === "nothing" ? [] : expected!.split("; ");
          assertEquals(found.sort(), wanted.sort(), line);
        }
      }
    });
  }
});
