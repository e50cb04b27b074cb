import { selectSlugs, type Site } from "../../lib/config/config.ts";
import type { SiteState } from "../../lib/evaluation/results.ts";
import type { State } from "../../lib/state.ts";

/** Calls by which a round reports on its sites, and waits for those of others. */
export interface RoundCalls {
  onChecked(result: Result): void;
  onLeftOut(site: Pick<Site, "slug">): void;
  whenParentsAreRecorded(site: Pick<Site, "dependsOn">): Promise<void>;
  onRecorded(run: { decision: { outcomes: readonly { result: Result }[] } }): void;
}

interface Result extends Pick<SiteState, "state"> {
  site: Pick<Site, "slug">;
}

/**
 * The rounds of `watch` that are open. A site is in at most one check at a time, and one that fails is recorded after
 * those that it depends on, whichever round checks these.
 */
export class Rounds {
  /** State of each site after its last check, by slug. */
  readonly states = new Map<string, State>();
  /** Starts of the checks that have not ended, by slug of their site. */
  readonly #busy = new Map<string, number>();
  /** Sites whose last check is not recorded, by slug. */
  readonly #unrecorded = new Map<string, PromiseWithResolvers<void>>();
  readonly #open = new Set<Promise<unknown>>();

  /** Starts a round with those of some sites that no other round is checking; `undefined` if there are none. */
  start(
    due: ReadonlySet<string>,
    now: number,
    round: (own: ReadonlySet<string>, calls: RoundCalls) => Promise<number>,
  ): Promise<number> | undefined {
    const own = due.difference(this.#busy);
    if (own.size === 0) return undefined;
    // A failing site waits for those of its own round before its check ends.
    const elsewhere = new Map(this.#unrecorded);
    const recorded = new Map([...own].map((slug) => [slug, Promise.withResolvers<void>()]));
    for (const [slug, one] of recorded) {
      this.#busy.set(slug, now);
      this.#unrecorded.set(slug, one);
    }
    const settle = (slug: string) => {
      const one = recorded.get(slug);
      one?.resolve();
      if (this.#unrecorded.get(slug) === one) this.#unrecorded.delete(slug);
    };
    const unchecked = new Set(own);
    const free = (slug: string) => {
      if (unchecked.delete(slug)) this.#busy.delete(slug);
    };
    const calls: RoundCalls = {
      onChecked: ({ site: { slug }, state }) => {
        this.states.set(slug, state);
        free(slug);
      },
      onLeftOut({ slug }) {
        free(slug);
        settle(slug);
      },
      async whenParentsAreRecorded({ dependsOn }) {
        const parents = selectSlugs(dependsOn).filter((slug) => !own.has(slug));
        await Promise.all(parents.map((slug) => elsewhere.get(slug)?.promise));
      },
      onRecorded: ({ decision }) => {
        for (const { result: { site: { slug }, state } } of decision.outcomes) {
          this.states.set(slug, state);
          settle(slug);
        }
      },
    };
    const ended = round(own, calls).finally(() => {
      for (const slug of own) calls.onLeftOut({ slug });
      this.#open.delete(ended);
    });
    this.#open.add(ended);
    return ended;
  }

  /** True if a check of a site that has not ended was started before a moment. */
  isCheckedSince({ slug }: Pick<Site, "slug">, moment: number): boolean {
    return (this.#busy.get(slug) ?? Infinity) < moment;
  }

  /** Resolves once the last check of each site is recorded or left out, which does not wait for any effects. */
  async recorded(): Promise<void> {
    await Promise.all([...this.#unrecorded.values()].map(({ promise }) => promise));
  }

  /** Resolves once all rounds have ended, with their effects. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}
