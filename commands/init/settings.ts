import {
  AddressError,
  type FirstSite,
  firstSite,
  problemOfLast,
  withDistinctNames,
} from "../../lib/config/first_site.ts";
import { CHANNEL_TYPES } from "../../lib/config/channels/keys.ts";
import { EXAMPLE_SITE } from "../../lib/config/load.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { homePage } from "../../lib/config/repository.ts";
import { readRepositoryInfo } from "../../lib/git/repository.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { interruption } from "../../lib/io/terminal.ts";
import { type Sending, USUAL_SENDING_PACE } from "../../lib/notifications/channels/channel.ts";
import { computeBilling } from "../../lib/setup/billing.ts";
import { type FirstChannel, toFirstChannel } from "../../lib/setup/first_channel.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { firstConfig, type FirstSettings } from "../../templates/first_config.ts";
import type { Context } from "../shared/context.ts";
import { createSending, deliver, testMessage } from "../shared/sending.ts";
import { formatCommand } from "../../lib/text/invocation.ts";

/** The settings of a first configuration: from the command line, and asked for at a terminal. */
export async function readSettings(context: Context): Promise<FirstSettings> {
  const { options, environment, root } = context;
  const { remoteUrl } = await readRepositoryInfo(root);
  const usualName = homePage({}, environment, remoteUrl)?.split("/").slice(-2).join("/") ??
    "Status";
  const sites = await readSites(context);
  const name = await settle("name", {
    question: "Name of the status page?",
    usual: usualName,
    take: (text) => takeKey({ name: plainText(text).trim() }, ["status-website", "name"]),
  }, context);
  const channel = await settle("alerts", {
    question: "Webhook for alerts, of Slack, Discord, Teams or others?",
    usual: "none",
    take: (text) => takeChannel(text, { sites, remoteUrl }, context),
  }, context);
  const domain = await settle("domain", {
    question: "Domain of the status page, such as status.example.com?",
    usual: "none",
    take: (text) => takeKey({ domain: orNone(text) }, ["status-website", "cname"]),
  }, context);
  const isPrivate = await settle("visibility", {
    question: "Is the repository public or private?",
    usual: "public",
    take: takeVisibility,
  }, context);
  const action = options.text("action");
  if (action !== undefined) await takeKey({ action }, ["action"]);
  const given = {
    sites,
    ...name.name === usualName ? {} : name,
    ...channel === undefined ? {} : { channel },
    ...domain,
    ...action === undefined ? {} : { action },
  };
  return { ...given, ...isPrivate ? await freeSchedule(given) : {} };
}

/** A question with the answer that an empty line gives. */
interface Question<T> {
  question: string;
  usual: string;
  /** @throws {UsageError} If the answer can't be used. */
  take(answer: string): Promise<T>;
}

/** Takes the value of an option, else asks until an answer can be used, else takes the usual one. */
async function settle<T>(
  option: string,
  { question, usual, take }: Question<T>,
  { options, ask, log, ...context }: Context,
): Promise<T> {
  const given = options.text(option);
  if (given !== undefined) return await take(given);
  while (mayAsk({ ...context, options })) {
    const answer = ask(question, usual);
    if (answer === undefined) throw new StoppedError();
    try {
      return await take(answer);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      log.line(error.message);
    }
  }
  return await take(usual);
}

function mayAsk({ environment, json, options }: Pick<Context, "environment" | "json" | "options">) {
  return environment.interactive && !json && !options.has("yes");
}

/** Ctrl-C, or Ctrl-D at a question: the remaining ones must not get their defaults. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
}

function orNone(answer: string): string | undefined {
  return /^(?:none|no|-)$/i.test(answer) ? undefined : answer;
}

/** Reads the addresses given, or asks for some. */
async function readSites(context: Context): Promise<readonly FirstSite[]> {
  const { options, words, ask, log, json } = context;
  const given = [...words, ...options.texts("url")];
  if (given.length > 0) return await toSites(given);
  if (!mayAsk(context)) {
    const why = json || options.has("yes") ? "no question is allowed" : "there is no terminal";
    throw new UsageError(
      `Cannot ask what to monitor, because ${why}: give an address, as in "${
        formatCommand("init example.com")
      }"`,
    );
  }
  while (true) {
    const answer = ask("What do you want to monitor? Addresses such as example.com or db:5432", "");
    if (answer === undefined) throw new StoppedError();
    const addresses = answer.split(/[\s,]+/).filter((one) => one !== "");
    if (addresses.length === 0) {
      log.line("An example, which is not checked until you edit it.");
      return [EXAMPLE_SITE];
    }
    try {
      return await toSites(addresses);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      log.line(error.message);
    }
  }
}

async function toSites(addresses: readonly string[]): Promise<readonly FirstSite[]> {
  const sites = withDistinctNames(addresses.map(toSite));
  for (const index of sites.keys()) {
    const problem = await problemOfLast(sites.slice(0, index + 1));
    if (problem !== undefined) {
      throw new UsageError(`Cannot monitor ${addresses[index]}: ${problem}`);
    }
  }
  return sites;
}

function toSite(address: string): FirstSite {
  try {
    return firstSite(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new UsageError(error.message);
  }
}

/** The channel of an answer; a webhook is tested by a message. */
async function takeChannel(
  answer: string,
  { sites, remoteUrl }: { sites: readonly FirstSite[]; remoteUrl?: string },
  context: Context,
): Promise<FirstChannel | undefined> {
  const text = orNone(answer);
  if (text === undefined) return undefined;
  const channel = toFirstChannel(text);
  if (channel === undefined) {
    throw new UsageError(
      `Cannot use this for alerts: expected the address of a webhook, or one of ${
        CHANNEL_TYPES.join(", ")
      }`,
    );
  }
  if (channel.address !== undefined && !context.dryRun) {
    await sendTest(channel, channel.address, { sites, remoteUrl }, context);
  }
  return channel;
}

/** A person waits for the answer: one attempt is enough. */
const TEST_PACE = { ...USUAL_SENDING_PACE, delays: [], patience: 0 };

async function sendTest(
  channel: FirstChannel,
  address: string,
  { sites, remoteUrl }: { sites: readonly FirstSite[]; remoteUrl?: string },
  context: Context,
): Promise<void> {
  const { log, signal } = context;
  const [secret] = Object.values(channel.secrets);
  const secrets = new Secrets({ [secret!]: address });
  context.secrets.derive(address);
  const { config } = await parseConfig(firstConfig({ sites, channel }), [secret!]);
  const sending: Sending = {
    ...await createSending(config!, remoteUrl, { ...context, secrets }),
    pace: TEST_PACE,
    showsHosts: true,
  };
  log.line("Sending a test message…");
  using stop = interruption(signal);
  const stopped = Promise.withResolvers<never>();
  stop.signal.addEventListener("abort", () => stopped.reject(new StoppedError()));
  const { answer: reply, failure } = await Promise.race([
    deliver(config!.notifications[0]!, testMessage(sending), sending),
    stopped.promise,
  ]);
  if (failure !== undefined) throw new UsageError(`The test message was not delivered: ${failure}`);
  log.line(`Sent a test message: ${reply}.`);
}

/** The settings, if their key takes the value. */
async function takeKey<T extends Partial<FirstSettings>>(
  settings: T,
  key: readonly string[],
): Promise<T> {
  const text = firstConfig({ sites: [EXAMPLE_SITE], ...settings });
  const { problems } = await parseConfig(text);
  const problem = problems.find(({ path }) => key.every((part, index) => path[index] === part));
  if (problem !== undefined) throw new UsageError(`Cannot use that: ${problem.message}`);
  return settings;
}

function takeVisibility(answer: string): Promise<boolean> {
  const word = answer.toLowerCase();
  const known = ["public", "private"].filter((one) => one.startsWith(word));
  if (known.length !== 1) throw new UsageError("Expected public or private");
  return Promise.resolve(known[0] === "private");
}

/** The most frequent schedule whose minutes are free in a private repository. */
async function freeSchedule(settings: FirstSettings): Promise<Pick<FirstSettings, "schedule">> {
  const { config } = await parseConfig(firstConfig(settings));
  const schedule = config && computeBilling(config).cheaper;
  return schedule === undefined ? {} : { schedule };
}
