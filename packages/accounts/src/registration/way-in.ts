import { siteKey } from "@gatehouse/runtime";
import type { AccountDeps } from "../deps.ts";
import type { PostedCeremony } from "../passkeys/authenticate.ts";
import { type FirstPasskeyPurpose, type PasskeyRegistrationProblem, verifyNewPasskey } from "../passkeys/register.ts";
import type { FirstPasskey } from "../store/passkeys.ts";
import type { AddressClaim } from "../store/registrations.ts";
import type { AccountRequest } from "./account-request.ts";
import { type FieldFault, passwordFault } from "./draft.ts";

/**
 * What a new user chose to sign in with: a password, or the passkey that the browser made for `beginFirstPasskey`.
 * `fallbackName` names it if its provider is unknown.
 */
export type ChosenWayIn =
  | { password: string }
  | { passkey: { posted: PostedCeremony; browser: string; fallbackName: string } };

/** The one way into a new account. */
export type WayIn = Pick<AddressClaim, "passwordHash" | "passkey">;

export type WayInRefused =
  | { kind: "refused"; fault: FieldFault }
  | { kind: "passkey_refused"; why: PasskeyRegistrationProblem };

type Owner = { name: string; email: string };

/** Checks what a new user chose. `of`: what the page asked for, without its browser. Stores nothing. */
export function readWayIn(
  chosen: ChosenWayIn,
  owner: Owner,
  of: Omit<FirstPasskeyPurpose, "browser">,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<WayIn | WayInRefused> {
  return "passkey" in chosen
    ? readPasskey(chosen.passkey, of, deps)
    : readPassword(chosen.password, owner, request, deps);
}

async function readPassword(
  password: string,
  owner: Owner,
  { caller }: AccountRequest,
  deps: AccountDeps,
): Promise<WayIn | WayInRefused> {
  const fault = await passwordFault(password, owner, deps);
  return fault ? { kind: "refused", fault } : { passwordHash: await deps.hasher.hash(password, siteKey(caller)) };
}

async function readPasskey(
  { posted, browser, fallbackName }: Extract<ChosenWayIn, { passkey: unknown }>["passkey"],
  of: Omit<FirstPasskeyPurpose, "browser">,
  deps: AccountDeps,
): Promise<WayIn | WayInRefused> {
  const made = await verifyNewPasskey({ posted, fallbackName }, { ...of, browser }, deps);
  if (typeof made === "string") return { kind: "passkey_refused", why: made };
  if (await isStored(made, deps)) return { kind: "passkey_refused", why: "taken" };
  return { passwordHash: null, passkey: made };
}

/** Does somebody have this passkey? */
export async function isStored({ passkey }: FirstPasskey, { people }: Pick<AccountDeps, "people">): Promise<boolean> {
  return (await people.findPasskey(passkey.credentialId)) !== undefined;
}
