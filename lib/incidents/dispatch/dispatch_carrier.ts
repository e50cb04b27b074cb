import { overPlatform } from "../../outbox/over_platform.ts";
import type { Carrier } from "../../outbox/effect.ts";
import { type Means, NO_PLATFORM } from "../../outbox/means.ts";

/** Starts workflows of the repository. */
export function dispatchCarrier({ platform }: Means): Carrier {
  return {
    lacks: () => platform === undefined ? NO_PLATFORM : undefined,
    carry: ({ data }) =>
      overPlatform(async () => {
        await platform!.dispatch(String(data["event"]));
        return {};
      }),
  };
}
