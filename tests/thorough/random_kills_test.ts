import { killWorld, MOMENTS } from "../helpers/kill_world.ts";
import { SEED } from "../helpers/property.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { makeScratch } from "../helpers/scratch.ts";

/** Times that each command is killed. */
const KILLS = repetitions(7, 60);

for (const command of ["update", "watch"] as const) {
  Deno.test(`${KILLS} kills of ${command} lose nothing, and repeat a message only with the same id (seed ${SEED})`, async () => {
    await using scratch = await makeScratch();
    await using world = await killWorld(scratch, SEED);
    await world.complete(command);
    let missed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const moment = MOMENTS[kill % MOMENTS.length]!;
      world.turn();
      const isReached = await world.kill({
        command,
        moment,
        isGroup: Math.floor(kill / MOMENTS.length) % 2 === kill % 2,
        isRefused: kill % 4 === 1,
      });
      if (!isReached && moment.startsWith("wh")) missed++;
      await world.complete(command);
      await world.assertExact();
    }
    const all = [...world.messages.values()];
    const repeated = all.filter(({ length }) => length > 1).length;
    const actions = [...world.alerts.values()].flat().length;
    Deno.stdout.writeSync(new TextEncoder().encode(
      `\n${KILLS} kills, ${missed} missed their moment, ${all.length} events, ${repeated} repeated, ` +
        `${world.alerts.size} alerts, ${actions} requests\n`,
    ));
    await world.assertClean();
  });
}
