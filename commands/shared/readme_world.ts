import type { Config } from "../../lib/config/config.ts";
import { homePage } from "../../lib/config/repository.ts";
import type { Context } from "./context.ts";
import type { Repository } from "../../lib/git/repository.ts";
import { type PageSettings, toPageSettings } from "../../lib/page/settings.ts";
import { findRepository } from "../../lib/git/repository.ts";

export interface ReadmeWorld {
  config: Config;
  settings: PageSettings;
  repository?: Repository;
}

export async function readmeWorld(
  config: Config,
  remoteUrl: string | undefined,
  { root, environment }: Context,
): Promise<ReadmeWorld> {
  return {
    config,
    settings: toPageSettings(config, { repository: homePage(config, environment, remoteUrl) }),
    repository: await findRepository(root),
  };
}
