import { overGitHub } from "../../outbox/over_github.ts";
import type { Carrier } from "../../outbox/effect.ts";
import { type Means, NO_PLATFORM } from "../../outbox/means.ts";

/** Starts workflows of the repository. */
export function dispatchCarrier({ github }: Means): Carrier {
  return {
    lacks: () => github === undefined ? NO_PLATFORM : undefined,
    carry: ({ data }) =>
      overGitHub(async () => {
        await github!.dispatch(String(data["event"]));
        return {};
      }),
  };
}
