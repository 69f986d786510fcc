import { type ActiveSession, raiseSession, type SessionRise } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { withFirst, withSecond } from "../gate/proof.ts";
import { type PostedCeremony, provePasskey } from "../passkeys/authenticate.ts";
import { beginPasskeyStep, type PasskeyCeremony } from "../passkeys/begin.ts";
import { actingBrowser } from "../registration/account-request.ts";
import { verifyRecoveryCode, verifySecondCode } from "../second-factors/verify-code.ts";
import type { SignInRequest } from "../sign-in/sign-in.ts";
import type { SignInProvider } from "../upstream/provider.ts";
import { findMissingProofs, isConfirmed, type MissingProofs } from "./fresh-sign-in.ts";
import { checkOwnPassword } from "./own-password.ts";

/** What the confirmation page asks for. */
export type AskedProofs = {
  missing: MissingProofs;
  hasPassword: boolean;
  hasRecoveryCodes: boolean;
  /** Undefined if the user has no passkey that works here. */
  ceremony: PasskeyCeremony | undefined;
  /** The enabled providers at which the user has an account, while the first factor is missing. UP-13. */
  providers: readonly SignInProvider[];
};

/** Describes what a signed-in user proves again. SN-03. */
export async function describeConfirmation(active: ActiveSession, deps: AccountDeps): Promise<AskedProofs> {
  const { people } = deps;
  const { id } = active.user;
  const [missing, ceremony, has] = await Promise.all([
    findMissingProofs(active, deps),
    beginPasskeyStep(passkeyPurposeOf(active), deps),
    people.findResetFacts(id),
  ]);
  const providers = missing.first ? await findConnectedProviders(id, deps) : [];
  return { missing, ceremony, providers, ...has };
}

/** The enabled providers at which a user has an account. */
export async function findConnectedProviders(
  userId: string,
  { people }: Pick<AccountDeps, "people">,
): Promise<SignInProvider[]> {
  const [providers, identities] = await Promise.all([people.listSignInProviders(), people.listIdentities(userId)]);
  return providers.filter(({ id, enabled }) => enabled && identities.some(({ provider }) => provider === id));
}

/** The public id of the session stays when it gets a new secret. WA-05. */
export function passkeyPurposeOf({ session, user }: ActiveSession) {
  return { purpose: "confirm", userId: user.id, browser: session.id } as const;
}

/**
 * `confirmed`: the session as it is now; `secret` is for its cookie, if it is new. `ended`: the session ended
 * meanwhile.
 */
export type ConfirmOutcome =
  | Raised
  | { kind: "confirmed"; active: ActiveSession; secret: undefined }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong_password" | "wrong_code" | "wrong_passkey" };

type Raised = { kind: "confirmed"; active: ActiveSession; secret: string } | { kind: "ended" };

export type TypedProofs = { password: string; code: string; passkey: PostedCeremony | undefined };

/** Checks a passkey, or what is missing of password and code. The session gets a new secret. SN-03. */
export async function confirmSession(
  active: ActiveSession,
  typed: TypedProofs,
  request: SignInRequest,
  deps: AccountDeps,
): Promise<ConfirmOutcome> {
  const missing = await findMissingProofs(active, deps);
  if (isConfirmed(missing)) return { kind: "confirmed", active, secret: undefined };
  const proved = await prove(active, missing, typed, request, deps);
  return "rise" in proved ? raise(active, proved.rise, deps) : proved;
}

async function raise(active: ActiveSession, rise: SessionRise, deps: AccountDeps): Promise<Raised> {
  const raised = await raiseSession(active, rise, deps);
  if (!raised) return { kind: "ended" };
  const { secret, ...now } = raised;
  return { kind: "confirmed", active: now, secret };
}

type Proved = { rise: SessionRise } | Exclude<ConfirmOutcome, { kind: "confirmed" }>;

async function prove(
  active: ActiveSession,
  { first, second }: MissingProofs,
  { password, code, passkey }: TypedProofs,
  request: SignInRequest,
  deps: AccountDeps,
): Promise<Proved> {
  if (passkey) return provedByPasskey(active, passkey, request, deps);
  const { session } = active;
  const now = deps.now();
  const checked = first ? await checkOwnPassword(active, password, request, deps) : undefined;
  if (checked?.kind === "wait") return checked;
  if (checked?.kind === "wrong") return { kind: "wrong_password" };
  const rise = first ? withFirst(session, { method: "password" }, now) : { acr: session.acr, amr: session.amr };
  if (second === null) return { rise };
  const proved = await proveCode(active, code, second, request, deps);
  return "factor" in proved ? { rise: { ...rise, ...withSecond(rise, proved.factor, now) } } : proved;
}

async function provedByPasskey(
  active: ActiveSession,
  posted: PostedCeremony,
  request: SignInRequest,
  deps: AccountDeps,
): Promise<Proved> {
  const proof = await provePasskey(posted, passkeyPurposeOf(active), actingBrowser(request), deps);
  if (proof.kind === "refused") return { kind: "wrong_passkey" };
  const now = deps.now();
  const factor = { method: "passkey", credentialId: proof.passkey.credentialId } as const;
  return { rise: { ...withFirst(active.session, factor, now), secondAt: now } };
}

async function proveCode(
  { session, user }: ActiveSession,
  typed: string,
  asked: NonNullable<MissingProofs["second"]>,
  request: SignInRequest,
  deps: AccountDeps,
): Promise<{ factor: "totp" | "recovery_code" } | { kind: "wait"; seconds: number } | { kind: "wrong_code" }> {
  const bySession = deps.limits.secondStep(`session ${session.id}`);
  const byAccount = deps.limits.secondFactor(user.id);
  const seconds = (await bySession.begin()) || (await byAccount.begin());
  if (seconds > 0) return { kind: "wait", seconds };
  const verify = asked === "recovery_code" ? verifyRecoveryCode : verifySecondCode;
  const code = await verify(user, typed, actingBrowser(request), deps);
  if (!code) return { kind: "wrong_code" };
  await Promise.all([bySession.succeeded(), byAccount.succeeded()]);
  return code;
}

/**
 * Takes a sign-in at a provider as the first factor of a session: it gets a new secret and time. Without its second
 * factor within ten minutes it has the level of the provider alone, until the confirmation page has asked for that: a
 * new time beside an old level would count as a fresh sign-in with every factor. SN-03, AL-04, CO-88.
 *
 * `undated`: the provider does not say when the user signed in, so that it may have let the browser through without
 * asking, and the user has a password or a passkey to confirm with. UP-13.
 */
export async function confirmAtProvider(
  active: ActiveSession,
  factor: FirstFactor,
  deps: AccountDeps,
): Promise<Raised | { kind: "undated" }> {
  const now = deps.now();
  const isUndated = factor.method === "upstream" && factor.authTime === null;
  if (isUndated && (await hasOtherProof(active, deps))) return { kind: "undated" };
  const isRecent = (await findMissingProofs(active, deps)).second === null;
  return raise(active, withFirst(isRecent ? active.session : undefined, factor, now), deps);
}

async function hasOtherProof(
  { user }: ActiveSession,
  { people, store }: Pick<AccountDeps, "people" | "store">,
): Promise<boolean> {
  const [account, { passkey }] = await Promise.all([
    people.findAccountByEmail(user.email),
    store.findEnrolment(user.id),
  ]);
  return passkey || account?.passwordHash != null;
}
