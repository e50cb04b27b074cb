import { change, type Examination, well } from "../examination.ts";

/** Whether there is a configuration, and all of it can be used. */
export const configuration: Examination = ({ config, errors, file }) => {
  if (errors > 0) {
    const what = errors === 1 ? "an error" : `${errors} errors`;
    return [change(`${file} has ${what}`, "run validate, which shows each with its line")];
  }
  if (config === undefined) {
    return [change(`there is no ${file} here`, "run init, or go to the folder that has it")];
  }
  return config.sites.length === 0
    ? [change(`${file} names no site`, "add one under sites:")]
    : well(`${file} can be used as it stands`);
};
