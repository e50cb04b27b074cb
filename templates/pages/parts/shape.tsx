import type { Shown } from "../../../lib/page/shown_of.ts";
import { type Element, written } from "../html.ts";

/** The shapes, drawn once on a page, on 16 x 16. No two are alike without their colours. */
export const SHAPES: Readonly<Record<Shown, string>> = {
  up: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m4.2 5.9-5 5.6L3.8 8.1l1.3-1.3 2 2 3.7-4.2z",
  degraded: "M8 0 0 15h16zm-1 5h2v5H7zm0 6h2v2H7z",
  down:
    "M4.7 0 0 4.7v6.6L4.7 16h6.6l4.7-4.7V4.7L11.3 0zm-.4 5.6 1.3-1.3L8 6.7l2.4-2.4 1.3 1.3L9.3 8l2.4 2.4-1.3 1.3L8 9.3l-2.4 2.4-1.3-1.3L6.7 8z",
  maintenance:
    "M15.6 3.2 12.9 5.9 10.6 5.4 10.1 3.1 12.8.4A4.9 4.9 0 0 0 6.5 6.6L.7 12.4a2 2 0 0 0 2.9 2.9L9.4 9.5A4.9 4.9 0 0 0 15.6 3.2",
  unknown:
    "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m0 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7M4.5 7.2h7v1.6h-7z",
  paused: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M5 4.5h2v7H5zm4 0h2v7H9z",
};

/** What {@linkcode Shape} refers to: stands once on each page. */
export const SHAPE_DEFINITIONS: Element = written(
  <svg class="away" aria-hidden="true">
    {Object.entries(SHAPES).map(([name, path]) => (
      <symbol id={`s-${name}`} viewBox="0 0 16 16">
        <path fill-rule="evenodd" d={path} />
      </symbol>
    ))}
  </svg>,
);

/** The shape of a state in its colour; the word has to stand beside it. */
export function Shape({ of }: { of: Shown }) {
  return (
    <svg class={`shape ${of}`} aria-hidden="true">
      <use href={`#s-${of}`} />
    </svg>
  );
}
