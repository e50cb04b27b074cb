import { type Carrier, CarrierError } from "./effect.ts";
import { NO_PLATFORM } from "./means.ts";

/** Carries nothing out, where GitHub is needed and none can be reached. */
export const NO_PLATFORM_CARRIER: Carrier = {
  lacks: () => NO_PLATFORM,
  carry: () => Promise.reject(new CarrierError(NO_PLATFORM, { prospect: "setting" })),
};
