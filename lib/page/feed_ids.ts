import type { Home } from "./place.ts";

/** The year that tag URIs need: a date at which the authority had its name. */
const YEAR = "2026";

/**
 * Returns a function that makes tag URIs (RFC 4151) of names. They come from the repository, so that ids stay if the
 * page moves to another domain or path; without a repository they come from the address of the page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const make = createTags({ repository: "https://github.com/Acme/status", address: "https://status.acme.example" });
 * assertEquals(make("2026-11-21-größe"), "tag:acme.github.io,2026:status/2026-11-21-gr%C3%B6%C3%9Fe");
 * assertEquals(createTags({ address: "https://acme.example/up" })("a/b"), "tag:acme.example,2026:up/a/b");
 * assertEquals(createTags({})("a"), "tag:localhost,2026:a");
 * ```
 */
export function createTags({ repository, address }: Home): (name: string) => string {
  const { hostname, pathname } = new URL(repository ?? address ?? "https://localhost");
  const [owner = "", ...rest] = pathname.toLowerCase().split("/").filter((part) => part !== "");
  const isGitHub = hostname === "github.com" && rest.length > 0;
  const authority = isGitHub ? `${owner}.github.io` : hostname;
  const folder = (isGitHub ? rest : [owner, ...rest]).map((part) => part && `${part}/`).join("");
  return (name) =>
    `tag:${authority},${YEAR}:${folder}${
      name.split("/").map((part) => encodeURIComponent(part.toWellFormed())).join("/")
    }`;
}
