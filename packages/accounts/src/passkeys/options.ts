import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Passkey } from "../store/passkeys.ts";
import type { PasskeyPurpose } from "./challenge.ts";
import type { PasskeySettings } from "./settings.ts";

/** EdDSA, ES256 and RS256, in order of preference. WA-03. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];
/** WebAuthn L3 §15.1 recommends 300 to 600 seconds where users verify themselves. */
const TIMEOUT_MS = 300_000;

type Creation = { challenge: string; userHandle: string; email: string; name: string; existing: readonly Passkey[] };

/**
 * Options for `navigator.credentials.create()`: a discoverable passkey that verifies its user, without attestation.
 * WA-03.
 */
export function creationOptions(
  { challenge, userHandle, email, name, existing }: Creation,
  { rpId }: PasskeySettings,
  productName: string,
): PublicKeyCredentialCreationOptionsJSON {
  return {
    challenge,
    rp: { id: rpId, name: productName },
    user: { id: userHandle, name: email, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: "public-key" })),
    timeout: TIMEOUT_MS,
    attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    excludeCredentials: descriptors(existing),
    extensions: { credProps: true },
  };
}

/** Whether a passkey must verify its user: as a second step, possession is enough. WA-07. */
export const requiresUserVerification = (purpose: PasskeyPurpose) => purpose !== "second_step";

/** Options for `navigator.credentials.get()`. Without `allowed`, the passkey says who the user is. WA-04, WA-07. */
export function requestOptions(
  { challenge, purpose, allowed = [] }: { challenge: string; purpose: PasskeyPurpose; allowed?: readonly Passkey[] },
  { rpId }: PasskeySettings,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: requiresUserVerification(purpose) ? "required" : "preferred",
    allowCredentials: descriptors(allowed),
  };
}

function descriptors(passkeys: readonly Passkey[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: "public-key" as const,
    transports: [...transports] as AuthenticatorTransports,
  }));
}

type AuthenticatorTransports = NonNullable<
  NonNullable<PublicKeyCredentialRequestOptionsJSON["allowCredentials"]>[number]["transports"]
>;
