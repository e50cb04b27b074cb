import { PlatformError } from "../github/platform_error.ts";
import { CarrierError } from "./effect.ts";

/** Carries something out on the platform; a refusal says what to expect of the effect. */
export async function overPlatform<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { message, kind, retryAfter } = error;
    throw new CarrierError(message, { prospect: kind, retryAfter, cause: error });
  }
}
