import { type Deps, LIFETIME, plainCode } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { AccountEventKind } from "../events/kinds.ts";
import { findRecipient } from "../mails/composer.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import { isLastRequiredFactor } from "../sign-in-methods/last-factor.ts";
import type { Account } from "../store/accounts.ts";
import { fromBase32, toBase32 } from "./base32.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { matchTotp, newTotpSecret, totpLink } from "./totp.ts";
import { totpPurpose } from "./totp-purpose.ts";

/** An authenticator app under setup. Nothing is stored before its first code. MF-03. */
export type TotpSetup = {
  /** For a hidden field. */
  sealed: string;
  /** Base32, for typing. */
  key: string;
  /** For the QR code, and for apps on the same device. */
  link: string;
};

/**
 * `signInEpoch`: of the session or pending sign-in that acts. A reset since then ended it, so it changes nothing.
 * WE-03.
 */
type Owner = Pick<Account, "id" | "email" | "locale" | "signInEpoch">;
type ManageDeps = Pick<AccountDeps, "people" | "mail" | "seal" | "now" | "random">;

const SETUP = "authenticator app under setup";

/**
 * Who sets up an app, in one session or second step: another one, even of the same user, cannot finish it. `actor`: its
 * public id.
 */
type TotpSetter = Pick<Owner, "id"> & { actor: string };

/** Begins to set up an authenticator app. `issuer`: the name of the product, which the app shows. */
export function beginTotp(
  owner: TotpSetter & Pick<Owner, "email">,
  issuer: string,
  deps: Pick<Deps, "seal" | "now" | "random">,
): TotpSetup {
  const key = toBase32(newTotpSecret(deps.random));
  return describe(deps.seal.seal(SETUP, JSON.stringify([owner.id, owner.actor, key, deps.now()])), key, owner, issuer);
}

/** The same setup again, after a wrong code. Undefined after 30 minutes, and for another setter. */
export function resumeTotp(
  sealed: string,
  owner: TotpSetter & Pick<Owner, "email">,
  issuer: string,
  deps: Pick<Deps, "seal" | "now">,
): TotpSetup | undefined {
  const key = openSetup(sealed, owner, deps);
  return key === undefined ? undefined : describe(sealed, key, owner, issuer);
}

function describe(sealed: string, key: string, { email }: Pick<Owner, "email">, issuer: string): TotpSetup {
  return { sealed, key, link: totpLink(fromBase32(key) ?? new Uint8Array(), { issuer, account: email }) };
}

function openSetup(sealed: string, { id, actor }: TotpSetter, deps: Pick<Deps, "seal" | "now">): string | undefined {
  const clear = deps.seal.open(SETUP, sealed);
  if (clear === undefined) return undefined;
  // Sealed by us, so it has this shape
  const [owner, setter, key, at]: [string, string, string, number] = JSON.parse(clear);
  return owner === id && setter === actor && deps.now() < at + LIFETIME.pendingRequestSeconds ? key : undefined;
}

/**
 * `codes`: new recovery codes, to be shown once. Undefined if the user has unused ones. `stale`: the account changed
 * meanwhile.
 */
export type TotpAdded =
  | { kind: "on"; codes: string[] | undefined }
  | { kind: "wrong_code" }
  | { kind: "expired" }
  | { kind: "exists" }
  | { kind: "stale" };

/** Turns the app on after its first code, which counts as used. MF-03, MF-04, MF-05. */
export async function addTotp(
  owner: Owner & TotpSetter,
  sealed: string,
  typed: string,
  by: ActingBrowser,
  deps: ManageDeps,
): Promise<TotpAdded> {
  const key = openSetup(sealed, owner, deps);
  const secret = key === undefined ? undefined : fromBase32(key);
  if (key === undefined || secret === undefined) return { kind: "expired" };
  const now = deps.now();
  const lastStep = matchTotp(secret, plainCode(typed), { now, lastStep: 0 });
  if (lastStep === undefined) return { kind: "wrong_code" };

  const fresh = (await deps.people.countRecoveryCodes(owner.id)) === 0 ? newRecoveryCodes(deps.random) : undefined;
  const row = { secret: deps.seal.seal(totpPurpose(owner.id), key), lastStep, createdAt: now };
  const added = await deps.people.addTotp(ownerOf(owner), row, fresh?.hashes, await tell("totp_on", owner, by, deps));
  if (added === "added") return { kind: "on", codes: fresh?.codes };
  return added === "exists" ? { kind: "exists" } : { kind: "stale" };
}

const ownerOf = ({ id: userId, signInEpoch }: Owner) => ({ userId, signInEpoch });

/** The mail and the event of a change. SN-04, SN-05. */
async function tell(
  kind: "totp_on" | "totp_off" | "recovery_codes_made",
  owner: Owner,
  by: ActingBrowser,
  deps: ManageDeps,
) {
  const mail = {
    ...(await findRecipient(owner, deps)),
    userId: owner.id,
    locale: owner.locale ?? by.locale,
    data: { at: deps.now(), ...by.source },
  };
  const event = accountEvent(kind satisfies AccountEventKind, { userId: owner.id, source: by.source }, deps);
  return { mails: [deps.mail.compose(kind, mail)], events: [event] };
}

/**
 * Turns the app off. `required`: it is the last second factor of a user who must have one (N61). `changed`: the account
 * changed meanwhile. The caller has confirmed the user (SN-03).
 */
export async function removeTotp(
  owner: Owner & Pick<Account, "role">,
  sessionId: string,
  by: ActingBrowser,
  deps: ManageDeps & Pick<AccountDeps, "store" | "config" | "accounts">,
): Promise<"removed" | "required" | "changed"> {
  const ways = await deps.people.findSignInMethods(owner.id, deps.accounts.passkeys?.rpId ?? null);
  if (!ways) return "changed";
  if (isLastRequiredFactor({ kind: "totp" }, ways, owner.role, deps.config)) return "required";
  const left = await deps.store.findEnrolment(owner.id);
  // Recovery codes replace another second factor, and are none by themselves
  const codes = !left.securityKey && !left.passkey;
  const removal = { userId: owner.id, signInEpoch: ways.signInEpoch, sessionId, codes };
  return (await deps.people.removeTotp(removal, await tell("totp_off", owner, by, deps), deps.now()))
    ? "removed"
    : "changed";
}

/** New recovery codes, to be shown once. The earlier ones end. Undefined if the account changed meanwhile. MF-05. */
export async function replaceRecoveryCodes(
  owner: Owner,
  by: ActingBrowser,
  deps: ManageDeps,
): Promise<string[] | undefined> {
  const { codes, hashes } = newRecoveryCodes(deps.random);
  const also = await tell("recovery_codes_made", owner, by, deps);
  return (await deps.people.replaceRecoveryCodes(ownerOf(owner), hashes, also, deps.now())) ? codes : undefined;
}
