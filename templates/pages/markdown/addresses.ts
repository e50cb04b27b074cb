/** What of a text of Markdown may lead elsewhere, or come from there. */
export interface Addresses {
  /** The address for a link; `undefined` where there shall be none. */
  linkTo(address: string): string | undefined;
  /** The address of a picture that may be shown; `undefined` where it may not. */
  pictureAt(address: string): string | undefined;
}

/** How addresses are judged. */
export interface AddressOptions {
  /** How the page refers to a file of the status page, given its path from the top; `undefined` where there is none. */
  linkTo(path: string): string | undefined;
  /** Hosts from which pictures may come, each with its port where it has another than usual. */
  imageHosts: readonly string[];
}

/**
 * Links to the web, to mailboxes and to files of the status page; pictures from there and from some hosts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { linkTo, pictureAt } = addressesOf({ linkTo: (path) => `../${path}`, imageHosts: ["a.example"] });
 * assertEquals(["https://b.example/", "faq.html", "javascript:alert(1)", "//b.example", "../x"].map(linkTo), [
 *   "https://b.example/", "../faq.html", undefined, undefined, undefined,
 * ]);
 * assertEquals(["https://a.example/i.png", "http://a.example/i.png", "https://b.example/i.png", "i.png"].map(pictureAt), [
 *   "https://a.example/i.png", undefined, undefined, "../i.png",
 * ]);
 * ```
 */
export function addressesOf({ linkTo, imageHosts }: AddressOptions): Addresses {
  const own = (address: string) => isOwnPath(address) ? linkTo(decoded(address)) : undefined;
  return {
    linkTo: (address) =>
      /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) ? address : own(address),
    pictureAt(address) {
      if (!/^https:\/\//i.test(address)) return own(address);
      const url = URL.parse(address);
      const isAllowed = url !== null && url.username === "" && url.password === "" &&
        imageHosts.includes(url.host);
      return isAllowed ? url.href : undefined;
    },
  };
}

/** Whether an address is the path of a file below the top of the status page, and nothing beside. */
function isOwnPath(address: string): boolean {
  if (!URL.canParse(address, "https://a.invalid/")) return false;
  const names = decoded(address).split("/");
  return names.every((name) => !/^\.{0,2}$|[\\:?#\p{C}]/u.test(name));
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return "..";
  }
}
