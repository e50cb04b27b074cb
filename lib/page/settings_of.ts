import type { Config } from "../config/config.ts";
import { pageAddress } from "../config/page_address.ts";
import { messagesOf } from "../messages/messages.ts";
import type { PageSettings } from "./page_settings.ts";

/** The settings of the page that a configuration makes, given the page of the repository. */
export function settingsOf(
  config: Config,
  { repository }: { repository?: string },
): PageSettings {
  const website = config["status-website"];
  const { robotsText } = { ...website } as { robotsText?: unknown };
  return {
    name: website?.name ?? "Status",
    address: pageAddress(website, repository),
    repository,
    cname: website?.cname?.trim().replace(/^https?:\/\//i, "").replace(/\/.*$/, ""),
    robotsText: typeof robotsText === "string" ? robotsText : undefined,
    lang: "en",
    direction: "ltr",
    messages: messagesOf(),
    timezone: config.timezone,
    theme: "auto",
    showsName: true,
    links: [],
    imageHosts: [],
  };
}
