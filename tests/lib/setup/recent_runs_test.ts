import { assertEquals } from "@std/assert";
import { readRecentRuns } from "../../../lib/setup/doctor/facts.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";

const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";
const NOW = Temporal.Instant.from("2026-05-20T12:00:00Z");
const OWN = "2026-05-20T09:00:00Z,r2,shop,up,200,100,1,,,\n";

/** Rows of a day before the last week, and if the runs of the last week are all that there are. */
const EARLIER: Readonly<Record<string, [location: string, isAll: boolean]>> = {
  "checks imported from Upptime were no runs": ["upptime", true],
  "checks of an earlier week were runs": ["", false],
};

for (const [name, [location, isAll]] of Object.entries(EARLIER)) {
  Deno.test(`the doctor judges the schedule since the first run: ${name}`, async () => {
    const store = new MemoryStore();
    const row = `2026-05-01T09:00:00Z,r1,shop,up,200,100,1,,${location},\n`;
    await store.publish(() =>
      Promise.resolve({
        time: NOW,
        message: "Checks",
        author: { name: "Bot", email: "bot@example.com" },
        run: "r2",
        files: new Map([
          ["history/checks/2026-05-01.csv", HEADER + row],
          ["history/checks/2026-05-20.csv", HEADER + OWN],
        ]),
      })
    );
    const since = NOW.subtract({ hours: 7 * 24 });
    assertEquals(await readRecentRuns(await store.read(), since), {
      moments: [Temporal.Instant.from("2026-05-20T09:00:00Z").epochMilliseconds],
      isAll,
    });
  });
}
