import type { Config } from "../../lib/config/config.ts";
import { homePage } from "../../lib/config/repository.ts";
import type { Context } from "./context.ts";
import type { Repository } from "../../lib/git/repository.ts";
import { redactTexts } from "../../lib/page/redact.ts";
import { type PageSettings, toPageSettings } from "../../lib/page/settings.ts";
import { findRepository } from "../../lib/git/repository.ts";

/** The repository of a README, and its place in it. */
export interface ReadmeWorld {
  config: Config;
  /** Without secrets. */
  settings: PageSettings;
  /** Absent outside of a repository. */
  repository?: Repository;
}

/** Finds the repository of a folder's README; `origin` is the URL of its remote. */
export async function readmeWorld(
  config: Config,
  origin: string | undefined,
  { root, environment, secrets }: Context,
): Promise<ReadmeWorld> {
  const settings = toPageSettings(config, { repository: homePage(config, environment, origin) });
  return {
    config,
    settings: redactTexts(settings, (text) => secrets.redact(text)),
    repository: await findRepository(root),
  };
}
