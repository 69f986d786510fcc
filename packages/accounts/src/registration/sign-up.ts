import { constantTimeEqual, type Hash, mintId } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { type AccountEvent, accountEvent, type EventSource } from "../events/account-event.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import {
  MAILED_TOKEN_SECONDS,
  type MintedMailedToken,
  mailedLink,
  mailedTokenData,
  mintMailedToken,
} from "../mailed-tokens/mint.ts";
import { isMailedTokenLive } from "../mailed-tokens/open.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { Continuation } from "../sign-in/continuation.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import type { FirstPasskey } from "../store/passkeys.ts";
import { type AccountRequest, sourceOf } from "./account-request.ts";
import { maySignUp, readTypedOwner, type TypedOwner } from "./draft.ts";
import { type ChosenWayIn, readWayIn, type WayIn, type WayInRefused } from "./way-in.ts";

/** What waits, sealed in the mailed token's row, until the address is proved. */
type PendingSignUp = { name: string; continuation: Continuation } & WayIn;

export type SignUpOutcome =
  /** The account is there, its address not yet proved. */
  | { kind: "created"; account: Account; factor: FirstFactor }
  /** A code was mailed, or the owner of the account was told; the page is the same. RG-03. */
  | { kind: "code_sent"; email: string }
  | WayInRefused;

type SignUpRequest = AccountRequest & {
  /** The hash of this browser's cookie: what was typed waits for this browser alone. */
  browser: Hash | null;
  continuation: Continuation;
};

/**
 * Signs somebody up who was not invited. The caller has checked that sign-up is open, and counted the attempt. RG-02,
 * RG-03.
 */
export async function signUp(
  typed: TypedOwner & ChosenWayIn,
  request: SignUpRequest,
  deps: AccountDeps,
): Promise<SignUpOutcome> {
  const read = readTypedOwner(typed, deps);
  if ("fault" in read) return { kind: "refused", fault: read.fault };
  const { owner } = read;
  // Hashed or verified for taken addresses too: both take as long. N72.
  const wayIn = await readWayIn(typed, owner, { purpose: "sign_up", userId: null }, request, deps);
  if ("kind" in wayIn) return wayIn;
  if (deps.accounts.emailVerification === "later") return createUnverified({ ...owner, ...wayIn }, request, deps);
  const pending = { name: owner.name, ...wayIn, continuation: request.continuation };
  await sendSignUpMail({ email: owner.email, data: pack(pending) }, request, deps);
  return { kind: "code_sent", email: owner.email };
}

/** What a new account's sign-up proves: its password was just set, or its passkey made. */
export const signUpFactor = ({ passkey }: Pick<WayIn, "passkey">): FirstFactor => ({
  method: "sign_up",
  passkey: passkey !== undefined,
});

type Packed = Omit<PendingSignUp, "passkey"> & {
  /** With its public key in base64url: it waits as JSON. */
  passkey?: Omit<FirstPasskey, "passkey"> & {
    passkey: Omit<FirstPasskey["passkey"], "publicKey"> & { publicKey: string };
  };
};

function pack({ passkey: made, ...rest }: PendingSignUp): Packed {
  if (made === undefined) return rest;
  const publicKey = Buffer.from(made.passkey.publicKey).toString("base64url");
  return { ...rest, passkey: { ...made, passkey: { ...made.passkey, publicKey } } };
}

/** What was typed for a token of a sign-up. */
export function pendingSignUp(token: MailedToken, deps: Pick<AccountDeps, "seal">): PendingSignUp {
  const { passkey: packed, ...rest } = mailedTokenData(token, deps) as Packed;
  if (packed === undefined) return rest;
  const publicKey = Buffer.from(packed.passkey.publicKey, "base64url");
  return { ...rest, passkey: { ...packed, passkey: { ...packed.passkey, publicKey } } };
}

/** `later`: the account exists at once. A taken address is refused. */
async function createUnverified(
  { name, email, passwordHash, passkey }: TypedOwner & WayIn,
  request: SignUpRequest,
  deps: AccountDeps,
): Promise<SignUpOutcome> {
  const at = deps.now();
  const id = newAccountId(deps);
  const account = {
    id,
    email,
    name,
    role: "user",
    createdAt: at,
    registeredBy: "self",
    passwordHash,
    passwordSetAt: passwordHash === null ? null : at,
    locale: null,
    passkey,
  } as const;
  const of = { userId: id, source: sourceOf(request) };
  const events = [accountEvent("signed_up", of, deps), ...passkeyAdded(passkey, of, deps)];
  if (!(await deps.people.insertUnverifiedAccount(account, { events })))
    return { kind: "refused", fault: { field: "email", code: "taken" } };
  const created = await deps.people.findAccount(id);
  if (!created) throw new Error("an account that was just created is gone");
  return { kind: "created", account: created, factor: signUpFactor({ passkey }) };
}

/** The event of the passkey that an account begins with, if it does. */
export function passkeyAdded(
  made: FirstPasskey | undefined,
  of: { userId: string; source: EventSource },
  deps: Pick<AccountDeps, "now" | "random">,
): AccountEvent[] {
  return made ? [accountEvent("passkey_added", { ...of, detail: { passkey: made.passkey.name } }, deps)] : [];
}

/** The prefix distinguishes user ids from client ids, which appear in the same claim of a token. SE-18. */
export function newAccountId({ random }: Pick<AccountDeps, "random">): string {
  return `usr_${mintId(random)}`;
}

/**
 * `first`: mails a code and a link to a free address, and a notice to a taken one, at most once a day. Both write the
 * same rows, so that nobody learns which addresses have accounts. RG-03.
 */
async function sendSignUpMail(
  { email, data }: { email: string; data: Packed },
  request: AccountRequest & { browser: Hash | null },
  deps: AccountDeps,
): Promise<void> {
  const token = mintMailedToken(
    {
      purpose: "sign_up",
      userId: null,
      email,
      lifetimeSeconds: MAILED_TOKEN_SECONDS.verification,
      withCode: true,
      browser: request.browser,
      data,
    },
    deps,
  );
  const owner = await deps.people.findAccountByEmail(email);
  const taken = owner && hasVerifiedOwner(owner) ? owner : undefined;
  const deliver = (await deps.limits.takenNotice(email, taken !== undefined).begin()) === 0;
  const mail = taken ? await takenMail(taken, deliver, request, deps) : await codeMail(email, token, request, deps);
  await saveRequestedToken(token.row, mail, deps);
}

function codeMail(
  email: string,
  { row, secret, code }: MintedMailedToken,
  { caller, locale, brand }: AccountRequest,
  deps: AccountDeps,
) {
  const data = { code, link: mailedLink("/verify-email", secret, deps.config) };
  return deps.mail.composeRequested("sign_up_code", {
    to: email,
    locale,
    data,
    expiresAt: row.expiresAt,
    token: row.hash,
    caller,
    brand,
    deliver: true,
  });
}

function takenMail({ email, locale }: Account, deliver: boolean, request: AccountRequest, deps: AccountDeps) {
  const data = { link: `${deps.config.issuer}/sign-in` };
  return deps.mail.composeRequested("sign_up_taken", {
    to: email,
    locale: locale ?? request.locale,
    data,
    caller: request.caller,
    brand: request.brand,
    deliver,
  });
}

/**
 * Mails another code for what waits in this browser; the earlier one is void. False if nothing waits: sign up again.
 * `email` is what the page of the first code says.
 */
export async function resendSignUpCode(
  email: string,
  request: AccountRequest & { browser: Hash | null },
  deps: AccountDeps,
): Promise<boolean> {
  const token = await deps.people.findNewestMailedToken({ purpose: "sign_up", email, now: deps.now() });
  if (
    !maySignUp(email, deps) ||
    !token ||
    !isMailedTokenLive(token, deps.now()) ||
    !isAskingBrowser(token, request.browser)
  )
    return false;
  await sendSignUpMail({ email, data: mailedTokenData(token, deps) as Packed }, request, deps);
  return true;
}

/** Did this browser ask for the sign-up? Only then may what was typed be used. RG-04. */
export function isAskingBrowser({ browser }: Pick<MailedToken, "browser">, asking: Hash | null): boolean {
  return browser !== null && asking !== null && constantTimeEqual(browser, asking);
}
