import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { AccountDeps } from "../deps.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import type { FirstPasskey, Passkey } from "../store/passkeys.ts";
import type { PostedCeremony } from "./authenticate.ts";
import { type ChallengeBinding, issueChallenge, spendChallenge } from "./challenge.ts";
import { passkeyName } from "./names.ts";
import { passkeyNotice } from "./notices.ts";
import { creationOptions, PASSKEY_ALGORITHMS } from "./options.ts";
import { isCrossOrigin, readRegistration } from "./response.ts";
import type { PasskeySettings } from "./settings.ts";

/** The most passkeys of one user. WA-09. */
export const MAX_PASSKEYS = 20;
const USER_HANDLE_BYTES = 64;
const CREDENTIAL_ID_BYTES = 1023;

type RegisterDeps = Pick<AccountDeps, "accounts" | "store" | "people" | "seal" | "now" | "random" | "mail">;

/**
 * What the page needs to add a passkey. Writes nothing: the user's WebAuthn id is stored with the first passkey.
 * Undefined if passkeys are off or the user has {@link MAX_PASSKEYS}. `browser` is what the challenge is bound to.
 * WA-03.
 */
export async function beginPasskeyRegistration(account: Account, browser: string, deps: RegisterDeps) {
  const settings = deps.accounts.passkeys;
  const existing = await deps.people.listPasskeys(account.id);
  if (!settings || existing.length >= MAX_PASSKEYS) return undefined;
  const userHandle = account.webauthnUserId ?? Buffer.from(deps.random(USER_HANDLE_BYTES)).toString("base64url");
  const { challenge, sealed } = issueChallenge({ purpose: "register", browser, userId: account.id }, deps, userHandle);
  const about = { challenge, userHandle, email: account.email, name: account.name, existing };
  return { sealed, options: creationOptions(about, settings, deps.accounts.productName) };
}

/** What a new account's passkey is made for: an invitation, the sign-up page, or the mailed link of a sign-up. */
export type FirstPasskeyPurpose = ChallengeBinding & { purpose: "invitation" | "sign_up" };

/**
 * What a page needs to make the passkey of an account that does not exist yet. Undefined while passkeys are off.
 * `email`: undefined if the user types it on the page, whose script then names the passkey. RG-03, RG-08.
 */
export function beginFirstPasskey(of: FirstPasskeyPurpose, email: string | undefined, deps: RegisterDeps) {
  const settings = deps.accounts.passkeys;
  if (!settings) return undefined;
  const userHandle = Buffer.from(deps.random(USER_HANDLE_BYTES)).toString("base64url");
  const { challenge, sealed } = issueChallenge(of, deps, userHandle);
  const about = { challenge, userHandle, email: email ?? "", name: email ?? "", existing: [] };
  return { sealed, options: creationOptions(about, settings, deps.accounts.productName) };
}

/** Why a new passkey is not stored. */
export type PasskeyRegistrationProblem = "off" | "malformed" | "challenge" | "rejected" | "taken" | "full" | "stale";

/**
 * Stores the passkey that the browser made for {@link beginPasskeyRegistration}, and tells its owner. Call it only for
 * a user with a fresh sign-in. `fallbackName` names it if its provider is unknown. WA-03, WA-09.
 */
export async function finishPasskeyRegistration(
  { account, posted, browser, fallbackName, by }: NewPasskey,
  deps: RegisterDeps,
): Promise<{ kind: "added"; passkey: Passkey } | { kind: "refused"; why: PasskeyRegistrationProblem }> {
  const made = await verifyNewPasskey(
    { posted, fallbackName },
    { purpose: "register", browser, userId: account.id },
    deps,
  );
  if (typeof made === "string") return refused(made);
  if ((await deps.people.listPasskeys(account.id)).length >= MAX_PASSKEYS) return refused("full");

  const passkey = { ...made.passkey, userId: account.id };
  const also = passkeyNotice("passkey_added", { account, passkeyName: passkey.name, by }, deps);
  const at = { webauthnUserId: made.webauthnUserId, signInEpoch: account.signInEpoch };
  const outcome = await deps.people.addPasskey(passkey, at, also, passkey.createdAt);
  return outcome === "added" ? { kind: "added", passkey } : refused(outcome);
}

/** Spends the challenge, and verifies the passkey that the browser made. Stores nothing. */
export async function verifyNewPasskey(
  { posted, fallbackName }: Pick<NewPasskey, "posted" | "fallbackName">,
  of: ChallengeBinding,
  deps: Omit<RegisterDeps, "people" | "mail">,
): Promise<FirstPasskey | PasskeyRegistrationProblem> {
  const settings = deps.accounts.passkeys;
  if (!settings) return "off";
  const response = readRegistration(posted.credential);
  if (!response) return "malformed";
  const spent = await spendChallenge(posted.challenge, of, deps);
  if (!spent || spent.userHandle === null) return "challenge";
  const made = await verify(response, spent.challenge, settings);
  if (!made) return "rejected";
  const passkey = { ...made, name: passkeyName(made.aaguid, fallbackName), createdAt: deps.now(), lastUsedAt: null };
  return { passkey, webauthnUserId: spent.userHandle };
}

type NewPasskey = {
  account: Account;
  posted: PostedCeremony;
  browser: string;
  fallbackName: string;
  by: ActingBrowser;
};

const refused = (why: PasskeyRegistrationProblem) => ({ kind: "refused" as const, why });

type Made = Omit<Passkey, "userId" | "name" | "createdAt" | "lastUsedAt">;

/** Loaded with the first passkey: the library parses certificates too, and would make every start slower. */
async function library() {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoCBOR }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { verifyRegistrationResponse, decodeAttestationObject, isoCBOR };
}
type Library = Awaited<ReturnType<typeof library>>;

async function verify(
  response: RegistrationResponseJSON,
  challenge: string,
  settings: PasskeySettings,
): Promise<Made | undefined> {
  if (isCrossOrigin(response.response.clientDataJSON)) return undefined;
  const webauthn = await library();
  try {
    const { verified, registrationInfo: info } = await webauthn.verifyRegistrationResponse({
      response: withoutAttestation(response, webauthn),
      expectedChallenge: challenge,
      expectedOrigin: settings.origin,
      expectedRPID: settings.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    if (!verified || info.credential.id !== response.id) return undefined;
    if (Buffer.from(info.credential.id, "base64url").length > CREDENTIAL_ID_BYTES) return undefined;
    return {
      credentialId: info.credential.id,
      publicKey: info.credential.publicKey,
      algorithm: algorithmOf(info.credential.publicKey, webauthn),
      counter: info.credential.counter,
      transports: response.response.transports ?? [],
      aaguid: info.aaguid,
      backupEligible: info.credentialDeviceType === "multiDevice",
      backedUp: info.credentialBackedUp,
      userVerified: info.userVerified,
      rpId: settings.rpId,
    };
  } catch {
    return undefined; // the library throws for whatever an attacker made up
  }
}

/**
 * Replaces the attestation statement with none. We ask for none and trust none (WebAuthn L3 §7.1 step 22), and some
 * formats would make the library request URLs from certificates that the caller chose.
 */
function withoutAttestation(
  posted: RegistrationResponseJSON,
  { decodeAttestationObject, isoCBOR }: Library,
): RegistrationResponseJSON {
  const { response } = posted;
  const authData = decodeAttestationObject(Buffer.from(response.attestationObject, "base64url")).get("authData");
  const bare = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Uint8Array>([
      ["fmt", "none"],
      ["attStmt", new Map<string, string>()],
      ["authData", authData],
    ]),
  );
  return { ...posted, response: { ...response, attestationObject: Buffer.from(bare).toString("base64url") } };
}

/** Label 3 of a COSE_Key, RFC 9052 §7.1. */
function algorithmOf(publicKey: Uint8Array, { isoCBOR }: Library): number {
  const key = isoCBOR.decodeFirst<Map<number, number>>(Uint8Array.from(publicKey));
  return key.get(3) ?? 0;
}
