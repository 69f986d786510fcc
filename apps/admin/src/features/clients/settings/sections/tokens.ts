import { CLIENT_TYPES } from "../../client-types.ts";
import { spanWords } from "../durations.ts";
import type { Options, Place, Section } from "../field.ts";

const DAY = 86_400;
const withRefresh = ({ settings }: Place) => settings.grantTypes.includes("refresh_token");
const withIdTokens = ({ type }: Place) => type !== "service";
/** A single-page app's refresh token never lives longer than a day. RFC 10017 §6.3.2.3. */
const totalDefault = ({ type }: Place) => (type === "browser" ? DAY : 30 * DAY);

const LIFETIMES = [
  "accessTokenSeconds",
  "refreshIdleSeconds",
  "refreshAbsoluteSeconds",
] as const satisfies (keyof Options)[];

/** The bounds are those of docs/lifetimes.md; the server checks them. */
export const TOKENS: Section = {
  id: "tokens",
  title: "Tokens",
  text: "How long tokens live, and what ID tokens contain. Changes apply to tokens that are issued from then on.",
  summary: (place) => {
    const { options } = place.settings;
    const access = options.accessTokenSeconds === undefined ? "" : `, access ${spanWords(options.accessTokenSeconds)}`;
    const lifetimes = LIFETIMES.every((name) => options[name] === undefined)
      ? "Lifetimes default"
      : `Lifetimes changed${access}`;
    const rotation = withRefresh(place)
      ? ` · ${options.rotateRefreshTokens === false ? "no rotation" : "rotation on"}`
      : "";
    return `${lifetimes}${rotation}${withIdTokens(place) ? ` · ID tokens ${options.idTokenAlgorithm ?? "RS256"}` : ""}`;
  },
  fields: [
    {
      path: "options.accessTokenSeconds",
      label: "Access token lifetime",
      hint: "Shorter limits what a stolen token is good for; longer saves refreshes.",
      kind: "seconds",
      min: 60,
      max: () => DAY,
      default: () => 600,
    },
    {
      path: "options.refreshIdleSeconds",
      label: "Refresh token, unused",
      hint: "Users who stay away longer sign in again.",
      fits: withRefresh,
      kind: "seconds",
      min: 3_600,
      max: () => 365 * DAY,
      default: () => 14 * DAY,
    },
    {
      path: "options.refreshAbsoluteSeconds",
      label: "Refresh token, in total",
      hint: ({ type }) =>
        type === "browser"
          ? "Users sign in again after this time at the latest. A single-page app’s refresh token lives a day at most."
          : "Users sign in again after this time at the latest, however often they come.",
      fits: withRefresh,
      kind: "seconds",
      min: 3_600,
      max: ({ type }) => (type === "browser" ? DAY : 400 * DAY),
      default: totalDefault,
    },
    {
      path: "options.rotateRefreshTokens",
      label: "Rotate refresh tokens",
      hint: "Each use returns a new refresh token, so theft is detected. Turn it off only for a client that cannot store a new token each time. Default: on.",
      fits: (place) => withRefresh(place) && CLIENT_TYPES[place.type].confidential,
      kind: "switch",
      default: true,
    },
    {
      path: "refreshRetrySeconds",
      label: "Refresh retry window",
      hint: "How long a used refresh token returns the same response again, so that a lost response doesn’t sign the user out. 0 turns this off.",
      fits: withRefresh,
      kind: "seconds",
      min: 0,
      max: () => 3_600,
      default: () => 30,
    },
    {
      path: "options.idTokenAlgorithm",
      label: "ID token algorithm",
      hint: "Signs ID and logout tokens. Change it only if the client’s library asks for another one. Default: RS256.",
      fits: withIdTokens,
      kind: "choice",
      choices: () => ["ES256", "EdDSA"].map((value) => ({ value, label: value })),
      unset: "RS256",
    },
    {
      path: "options.idTokenClaims",
      label: "ID token claims",
      hint: "Minimal leaves name and email out of ID tokens, for clients that read them from /userinfo. Default: those of the granted scopes.",
      fits: withIdTokens,
      kind: "choice",
      choices: () => [{ value: "minimal", label: "Minimal" }],
      unset: "Of the granted scopes",
    },
  ],
};
