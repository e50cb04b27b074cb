import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** The reader's view of Markdown. */
export interface Rendered {
  /** Without markup. */
  text: string;
  /** The elements in their order, each by its name, such as `td`. */
  elements: string[];
  /** Targets of links and images. */
  addresses: string[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** Renders Markdown as GitHub does, but with nothing filtered that could do harm. */
export function rendered(markdown: string): Rendered {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const plain = (text: string) => text.replace(/&(?:lt|gt|quot|amp);/g, (one) => ENTITIES[one]!);
  return {
    text: plain(html.replaceAll(/<br>|<\/summary>/g, "\n").replace(/<[^>]*>/g, "")),
    elements: [...html.matchAll(/<([a-z!][\w-]*)/gi)].map(([, name]) => name!),
    addresses: [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => plain(address!)),
  };
}
