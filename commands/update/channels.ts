import type { Context } from "../shared/context.ts";
import {
  findChannelsWithoutSecrets,
  missingSecretsNote,
  type UnsendableChannel,
  unsendableNote,
  withoutSecretsNote,
} from "../../lib/notifications/channel_problems.ts";
import type { Subscriber } from "../../lib/notifications/channel_list.ts";
import { incompleteChannels } from "../../lib/config/upptime/channels.ts";
import {
  unsupportedNote,
  unsupportedServices,
} from "../../lib/config/upptime/unsupported_services.ts";

/**
 * Reports the channels that this run can't send to, before they have to be notified. `fails` is true if the
 * settings of a channel are unusable, or if the run has secrets but not those of a channel; a run without any
 * secrets, as on a laptop, only logs a line.
 */
export function reportChannels(
  { channels, unsendable }: {
    channels: readonly Subscriber[];
    unsendable: readonly UnsendableChannel[];
  },
  { secrets, log }: Pick<Context, "secrets" | "log">,
): { notes: string[]; fails: boolean } {
  const errors = unsendable.map(unsendableNote);
  for (const error of errors) log.error(error);
  const lacking = [
    ...findChannelsWithoutSecrets(channels.filter(({ wantsAnything }) => wantsAnything), secrets),
    ...incompleteChannels((name) => secrets.value(name) ?? ""),
  ];
  const unsupported = unsupportedNote(
    unsupportedServices(secrets.names(), (name) => secrets.value(name)),
  );
  const warnings = [
    ...secrets.isEmpty ? [] : lacking.map(missingSecretsNote),
    ...unsupported === undefined ? [] : [unsupported],
  ];
  for (const warning of warnings) log.warn(warning);
  if (!secrets.isEmpty || lacking.length === 0) {
    return {
      notes: [...errors, ...warnings],
      fails: errors.length > 0 || lacking.length > 0,
    };
  }
  const note = withoutSecretsNote(lacking);
  log.line(`${note}.`);
  return { notes: [...errors, note], fails: errors.length > 0 };
}
