import type { Group } from "../../lib/config/groups.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";

/** The name of a group, or what the sites without a group are called. */
export function nameGroup(name: string | undefined, { say }: Language): string {
  return name === undefined ? say("otherSites") : plainText(name);
}

/** The line below the name of a group: who operates it, and its description; empty without both. */
export function describeGroup(
  { isExternal, description }: Pick<Group, "isExternal" | "description">,
  { say }: Language,
): Content[] {
  const about = description === undefined ? [] : [<span dir="auto">{plainText(description)}</span>];
  const parts = [...isExternal ? [say("operatedByOthers")] : [], ...about];
  return parts.flatMap((part, index) => index === 0 ? [part] : [" · ", part]);
}
