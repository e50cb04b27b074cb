import type { CheckSettings } from "../config/checks/mod.ts";
import { ask } from "./http/ask.ts";
import type { Probe } from "./observation.ts";

/** Makes an HTTP request and follows redirects, or makes the requests of `steps`. */
export const http: Probe<CheckSettings<"http">> = async (site, context) => {
  if (site.steps === undefined) return (await ask(site, context)).observation;
  const { takeSteps } = await import("./http/steps.ts");
  return await takeSteps(site, site.steps, context);
};
