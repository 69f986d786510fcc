import { LEVELS } from "../../levels.ts";
import type { Choice, Place, Section } from "../field.ts";

export const SIGN_IN: Section = {
  id: "sign-in",
  title: "Sign-in",
  text: "What the client demands of its users’ sign-ins.",
  fields: [
    {
      path: "options.requireAcr",
      label: "Required level",
      hint: "Users below this level are asked for the missing factor. Without it, the sign-in fails. Default: none.",
      fits: withCode,
      kind: "choice",
      choices: levels,
      unset: "None",
    },
    {
      path: "options.defaultAcrValues",
      label: "Default levels",
      hint: "Used when a request has no acr_values. Users can decline.",
      fits: withCode,
      kind: "choices",
      choices: levels,
      unset: "None",
    },
    {
      path: "options.defaultMaxAge",
      label: "Default maximum age",
      hint: "Users who signed in longer ago sign in again, if the request has no max_age. Leave it empty for no limit.",
      fits: withCode,
      kind: "seconds",
      min: 0,
      default: () => null,
    },
    {
      path: "options.requireVerifiedEmail",
      label: "Require a verified email",
      hint: "Users verify their email before they get into the application. Default: not required.",
      fits: withCode,
      kind: "switch",
    },
  ],
};

function withCode({ settings }: Place): boolean {
  return settings.grantTypes.includes("authorization_code");
}

/** The levels to choose from, and those that the client has already, such as an alias. */
function levels({ settings: { options } }: Place): Choice[] {
  const current = [options.requireAcr, ...(options.defaultAcrValues ?? [])].filter((value) => value !== undefined);
  const others = [...new Set(current)].filter((value) => !LEVELS.some((level) => level.value === value));
  return [...LEVELS, ...others.map((value) => ({ value, label: value }))];
}
