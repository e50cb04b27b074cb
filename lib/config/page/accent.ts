/** Backgrounds of the page and of its cards by theme, as the style sheet has them. */
export const GROUNDS = {
  light: { bg: "#f6f7f9", card: "#ffffff" },
  dark: { bg: "#0c0f13", card: "#14181e" },
  night: { bg: "#000000", card: "#0b0d10" },
  ocean: { bg: "#071a2e", card: "#0c243d" },
} as const;

type PageTheme = keyof typeof GROUNDS | "auto";

/** A color of links, focus and chart for light and for dark pages, each as `#rrggbb`. */
export interface Accent {
  light?: string;
  dark?: string;
}

/** Contrast that texts need by WCAG AA. */
const READABLE = 4.5;

/** Parses three or six hexadecimal digits, with or without `#`, to `#rrggbb`. */
export function parseColor(text: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** The colors of a key's value: one color is for light and dark pages. */
export function toAccent(value: string | Accent): Accent {
  return typeof value === "string" ? { light: value, dark: value } : value;
}

/** Replaces each color by the nearest one that is readable on the cards of a theme. */
export function toReadableAccent({ light, dark }: Accent, theme: PageTheme): Accent {
  const [onLight, onDark] = listCards(theme);
  return {
    light: light && onLight && toReadable(light, onLight),
    dark: dark && onDark && toReadable(dark, onDark),
  };
}

/** The cards of a theme's light and dark page. */
function listCards(theme: PageTheme): [light: string | undefined, dark: string | undefined] {
  if (theme === "auto") return [GROUNDS.light.card, GROUNDS.dark.card];
  return theme === "light" ? [GROUNDS.light.card, undefined] : [undefined, GROUNDS[theme].card];
}

/**
 * Mixes a color with black or white until it is readable on a card.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toReadable("#2456d3", "#ffffff"), "#2456d3");
 * assertEquals(toReadable("#ffd400", "#ffffff"), "#8c7400");
 * assertEquals(toReadable("#2456d3", "#14181e"), "#557cdd");
 * ```
 */
export function toReadable(color: string, card: string): string {
  const end = computeLuminance(card) > 0.18 ? 0 : 255;
  for (let step = 0; step <= 255; step++) {
    const mixed = toChannels(color).map((channel) => channel + (end - channel) * step / 255);
    const found = `#${mixed.map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
    if (computeContrast(found, card) >= READABLE) return found;
  }
  throw new RangeError(`No color is readable on ${card}`);
}

/** Contrast of two colors as WCAG 2.2 defines it, from 1 to 21. */
export function computeContrast(one: string, other: string): number {
  const [low, high] = [one, other].map(computeLuminance).toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** Relative luminance of a color as WCAG 2.2 defines it, from 0 to 1. */
export function computeLuminance(color: string): number {
  const [red, green, blue] = toChannels(color).map((channel) => channel / 255).map((share) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function toChannels(color: string): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}
