import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** Enough for a response with an RSA key and every extension. */
const LONGEST = 16_384;
const CREDENTIAL_ID = /^[\w-]{1,1366}$/; // 1023 bytes, WebAuthn L3 §7.1
const BASE64URL = /^[\w-]+$/;
const TRANSPORT = /^[a-z-]{1,32}$/;

type Json = Record<string, unknown>;

/** What a verified assertion says of its passkey and its user. */
export type VerifiedAssertion = { counter: number; backupEligible: boolean; backedUp: boolean; userVerified: boolean };

/** Reads the assertion that the script of a ceremony page posted; undefined if it has another shape. */
export function readAssertion(posted: string): AuthenticationResponseJSON | undefined {
  const credential = readCredential(posted);
  if (!credential) return undefined;
  const { id, response } = credential;
  const { authenticatorData, clientDataJSON, signature, userHandle } = response;
  if (!isBase64url(authenticatorData) || !isBase64url(clientDataJSON) || !isBase64url(signature)) return undefined;
  if (userHandle !== undefined && userHandle !== null && !isBase64url(userHandle)) return undefined;
  return {
    ...shell(id),
    response: { authenticatorData, clientDataJSON, signature, ...(isBase64url(userHandle) && { userHandle }) },
  };
}

/** Reads the new credential that the script of a ceremony page posted; undefined if it has another shape. */
export function readRegistration(posted: string): RegistrationResponseJSON | undefined {
  const credential = readCredential(posted);
  if (!credential) return undefined;
  const { id, response } = credential;
  const { attestationObject, clientDataJSON, transports } = response;
  if (!isBase64url(attestationObject) || !isBase64url(clientDataJSON)) return undefined;
  const known = Array.isArray(transports)
    ? transports.filter((one) => typeof one === "string" && TRANSPORT.test(one)).slice(0, 8)
    : [];
  return { ...shell(id), response: { attestationObject, clientDataJSON, transports: known } };
}

function readCredential(posted: string): { id: string; response: Json } | undefined {
  if (posted.length > LONGEST) return undefined;
  const value = parse(posted);
  if (!isObject(value) || !isObject(value["response"])) return undefined;
  const { id, rawId, type, response } = value;
  if (typeof id !== "string" || id !== rawId || type !== "public-key" || !CREDENTIAL_ID.test(id)) return undefined;
  return { id, response: response as Json };
}

const shell = (id: string) => ({ id, rawId: id, type: "public-key" as const, clientExtensionResults: {} });
const isBase64url = (value: unknown): value is string => typeof value === "string" && BASE64URL.test(value);
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether the browser says that the ceremony ran in a frame of another site. The library accepts that if `topOrigin` is
 * missing. WA-06.
 */
export function isCrossOrigin(clientDataJSON: string): boolean {
  const data = parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
  return !isObject(data) || (data["crossOrigin"] !== undefined && data["crossOrigin"] !== false);
}
