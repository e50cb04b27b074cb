import type { Sending } from "../../lib/notifications/channels/channel.ts";
import type { Config } from "../../lib/config/config.ts";
import { homePage, ownRepository } from "../../lib/config/repository.ts";
import { findPageAddress } from "../../lib/config/page_path.ts";
import type { Context } from "./context.ts";
import { random } from "../../lib/io/clock.ts";
import { userAgent } from "../../lib/io/requests.ts";

/** Dependencies of sending messages. The monitor's name, part of the keys of alerts, doesn't depend on the token. */
export function createSending(
  config: Pick<Config, "owner" | "repo" | "status-website">,
  remoteUrl: string | undefined,
  { environment, secrets, clock }: Pick<Context, "environment" | "secrets" | "clock">,
): Sending {
  const site = config["status-website"];
  const home = homePage(config, environment, remoteUrl);
  const monitor = ownRepository(config, environment, remoteUrl) ?? site?.name ?? "monitor";
  return {
    secrets,
    clock,
    random,
    userAgent: userAgent(home),
    places: { home, page: findPageAddress(site, home) },
    monitor,
    title: site?.name ?? monitor,
  };
}
