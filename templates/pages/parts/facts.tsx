import type { Content } from "../html.ts";

/** A fact with its name; left out where there is nothing to say. */
export type Fact = readonly [name: string, content: Content];

/** Facts one below the other. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const told = facts.filter(([, content]) => content !== undefined && content !== false);
  return (
    <dl class="card known">
      {told.map(([name, content]) => (
        <div>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}
