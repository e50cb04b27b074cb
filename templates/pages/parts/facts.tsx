import type { Content } from "../html.ts";

/** A fact with its name; left out where there is nothing to say. */
export type Fact = readonly [name: Content, content: Content];

/** Facts one below the other on a card, or as many beside each other as there is room for. */
export function Facts({ facts, isCard = true }: { facts: readonly Fact[]; isCard?: boolean }) {
  const told = facts.filter(([, content]) => Boolean(content));
  return (
    <dl class={isCard ? "card known" : "facts"}>
      {told.map(([name, content]) => (
        <div>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}
