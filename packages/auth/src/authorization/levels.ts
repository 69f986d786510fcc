import { ACR, type Acr, levelOf, meets } from "@gatehouse/guard";
import type { Client } from "../clients/client.ts";
import type { Config } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { isAttainable, isSupported, policyLevel } from "../sessions/levels.ts";
import type { Enrolment } from "../store/enrolment.ts";
import type { Session } from "../store/sessions.ts";
import type { Role } from "../store/users.ts";
import type { AuthorizationParameters } from "./parameters.ts";

/** The levels of authentication that a request asks for. */
export type LevelDemand = {
  /** In the client's order. The first one that the user can reach is tried. AL-02. */
  wished: readonly string[];
  /** Each list requires one of its values. */
  required: readonly (readonly string[])[];
};

/**
 * Reads `acr_values` or the client's default, the essential `acr` of the claims parameter, and the level that the
 * client always requires. Throws when no level of this server is enough for a required one. OpenID Connect Core
 * §5.5.1.1, RFC 9470 §5; MF-11.
 */
export function readLevels(
  { values }: Pick<AuthorizationParameters, "values">,
  { options }: Client,
  config: Config,
): LevelDemand {
  const essential = values.claims === undefined ? [] : essentialContexts(values.claims);
  if (!essential.every((list) => list.some((value) => isSupported(value, config))))
    throw unmet("authentication_context_unknown", "none of the required authentication contexts is supported");
  if (options.requireAcr !== undefined && !isAttainable(options.requireAcr, config))
    throw unmet(
      "authentication_context_unknown",
      "no user can reach the authentication context that the client requires",
    );
  return {
    wished: values.acr_values?.split(" ").filter(Boolean) ?? options.defaultAcrValues ?? [],
    required: [...essential, ...(options.requireAcr === undefined ? [] : [[options.requireAcr]])],
  };
}

/** What a session lacks for a request. */
export type LevelStep =
  | { kind: "met" }
  /** The user signs in again: the first factor is too weak for any second step. */
  | { kind: "sign_in"; required: boolean }
  /**
   * A second step to this level. `enrolled`: the user has a factor for it. `policy`: this server demands it of the
   * user.
   */
  | { kind: "second_step"; level: Acr; enrolled: boolean; required: boolean; policy: boolean };

/** The next step towards the levels of a request. Essential levels come before voluntary ones. AL-01, AL-02. */
export function nextLevelStep(
  session: Pick<Session, "acr">,
  role: Role,
  demand: LevelDemand,
  enrolment: Enrolment,
  config: Config,
): LevelStep {
  const policy = policyLevel(role, config);
  const lists = [
    ...(policy === undefined ? [] : [{ values: [policy as string], required: true, policy: true }]),
    ...demand.required.map((values) => ({ values, required: true, policy: false })),
    { values: demand.wished, required: false, policy: false },
  ];
  for (const { values, ...why } of lists) {
    const counts = why.required ? isAttainable : isSupported; // a level that only higher ones meet can be required
    const step = stepTowards(
      values.filter((value) => counts(value, config)),
      session.acr,
      enrolment,
    );
    if (step.kind !== "met") return { ...step, ...why };
  }
  return { kind: "met" };
}

/** Does the session meet every essential requirement? Voluntary ones do not count. MF-09, MF-11. */
export function isLevelMet(
  { acr }: Pick<Session, "acr">,
  role: Role,
  { required }: LevelDemand,
  config: Config,
): boolean {
  const policy = policyLevel(role, config);
  const lists = policy === undefined ? required : [[policy], ...required];
  return lists.every((values) => values.some((value) => meets(acr, value)));
}

type Step = { kind: "met" } | { kind: "sign_in" } | { kind: "second_step"; level: Acr; enrolled: boolean };

/** The first value that the user can reach is tried; if there is none, the first one is offered. */
function stepTowards(known: readonly string[], acr: string, enrolment: Enrolment): Step {
  for (const value of known) {
    if (meets(acr, value)) return { kind: "met" };
    const level = levelOf(value);
    if (level !== undefined && isReachable(level, enrolment)) return towards(level, acr, true);
  }
  const first = levelOf(known[0] ?? "");
  return first === undefined ? { kind: "met" } : towards(first, acr, false);
}

/** Everybody can reach the levels of a first factor, by signing in again. */
function isReachable(level: Acr, { totp, securityKey, passkey }: Enrolment): boolean {
  if (level === ACR.phr) return passkey;
  return level === ACR.mfa ? totp || securityKey || passkey : true;
}

/** A mailed code is too weak to build on: the second factor would be the only one. MF-06. */
function towards(level: Acr, acr: string, enrolled: boolean): Step {
  const isFirst = level !== ACR.mfa && level !== ACR.phr;
  if (isFirst || (level === ACR.mfa && !meets(acr, ACR.password))) return { kind: "sign_in" };
  return { kind: "second_step", level, enrolled };
}

/** The values that tokens can report. AL-01. */
export function requestedLevels({ wished, required }: LevelDemand, config: Config): string[] {
  return [...required.flat(), ...wished].filter((value) => isSupported(value, config));
}

/** OpenID Connect Core Unmet Authentication Requirements 1.0. */
function unmet(
  cause: "authentication_context_unknown" | "authentication_level_unmet",
  description: string,
): OAuthError {
  return new OAuthError("unmet_authentication_requirements", cause, description, { description });
}

/** The user did not reach what the request requires of a sign-in. N64. */
export const unmetLevel = (description = "the user did not reach the required authentication context") =>
  unmet("authentication_level_unmet", description);

/** For `id_token` and `userinfo`: the values of an `acr` marked essential. A malformed parameter requires nothing. */
function essentialContexts(claims: string): string[][] {
  const asked = parse(claims);
  return [member(asked, "id_token"), member(asked, "userinfo")]
    .map((token) => member(token, "acr"))
    .filter((acr) => member(acr, "essential") === true)
    .map((acr) => [member(acr, "values"), member(acr, "value")].flat().filter((value) => value !== undefined))
    .filter((values) => values.length > 0)
    .map((values) => values.filter((value) => typeof value === "string"));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Object.entries(of).find(([key]) => key === name)?.[1] : undefined;
}
