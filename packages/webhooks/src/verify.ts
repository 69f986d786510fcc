import { createPublicKey, type KeyObject, timingSafeEqual, verify as verifySignature } from "node:crypto";
import type { EndpointSecret, EndpointSettings } from "./endpoint.ts";
import type { Incoming } from "./incoming.ts";
import type { Adapter, Claim, HmacAlgorithm, Key, SignedClaim, SignedPart, SignedParts } from "./providers/adapter.ts";
import { macOf } from "./providers/signatures.ts";
import { hasStraySpace } from "./secret-text.ts";

/** The adapter's reading of the signature, unless a handshake gives that signature to anybody. */
export function readClaim(
  incoming: Incoming,
  { readClaim: read, handshake }: Pick<Adapter, "readClaim" | "handshake">,
): Claim {
  const claim = read(incoming);
  if (!handshake || claim.kind !== "signed") return claim;
  const isOpenToAll = [claim, ...(claim.rest ?? [])].some(({ signed }) => handshake.canSign(signed));
  return isOpenToAll ? { kind: "malformed", problem: "it signs a check of the URL instead of a payload" } : claim;
}

export type UsableSecret = { id: string; value: string; keys: readonly Key[] };

/** How an adapter reads secrets. */
type Signing = Pick<Adapter, "keysOf" | "typedSecrets">;

const cached = new WeakMap<EndpointSettings, readonly UsableSecret[]>();

/** The signing secrets with key material. A blank secret has none: an empty HMAC key would verify any forgery. */
export function usableSecrets(adapter: Signing, endpoint: EndpointSettings): readonly UsableSecret[] {
  const known = cached.get(endpoint);
  if (known) return known;
  const usable = endpoint.secrets.flatMap((secret) => usableSecret(adapter, secret, endpoint.settings) ?? []);
  cached.set(endpoint, usable);
  return usable;
}

function usableSecret(adapter: Signing, { id, value }: EndpointSecret, settings: EndpointSettings["settings"]) {
  const trimmed = value.trim(); // a pasted newline is a common mistake
  if (trimmed === "" || hasStraySpace(trimmed, adapter)) return undefined;
  const keys = adapter.keysOf(trimmed, settings).filter(({ bytes }) => bytes.length > 0);
  return keys.length > 0 ? { id, value: trimmed, keys } : undefined;
}

/** Returns the id of the first secret with which the claim's signatures match; undefined if there is none. */
export function findSigner(
  claim: SignedClaim,
  secrets: readonly Pick<UsableSecret, "id" | "keys">[],
): string | undefined {
  return secrets.find(({ keys }) => keys.some((key) => matchesClaim(key, claim)))?.id;
}

/** Whether one signature of every part of the claim matches this key. */
export function matchesClaim(key: Key, claim: SignedClaim): boolean {
  return matches(key, claim) && (claim.rest ?? []).every((part) => matches(key, part));
}

function matches(key: Key, { signatures, signed: claimed }: SignedParts): boolean {
  const candidates = signatures.filter(({ algorithm }) => algorithm === key.algorithm);
  if (candidates.length === 0) return false;
  const signed = key.signed ?? claimed;

  if (isHmac(key)) {
    const expected = macOf(key.algorithm, key.bytes, signed);
    return candidates.some(({ bytes }) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  }
  const message = Buffer.concat(signed.map(bytesOf));
  const publicKey = publicKeyOf(key);
  return (
    publicKey !== undefined && candidates.some(({ bytes }) => verifySignature(digestOf(key), message, publicKey, bytes))
  );
}

function isHmac(key: Key): key is Key & { algorithm: HmacAlgorithm } {
  return key.algorithm !== "ed25519" && key.algorithm !== "rsa-sha256";
}

const digestOf = ({ algorithm }: Key) => (algorithm === "rsa-sha256" ? "sha256" : null);
const bytesOf = (part: SignedPart) => (typeof part === "string" ? Buffer.from(part) : part);

const publicKeys = new WeakMap<Key, KeyObject>();

/** The public key of an asymmetric key, parsed once. Undefined if the bytes are not one. */
function publicKeyOf(key: Key): KeyObject | undefined {
  const known = publicKeys.get(key);
  if (known) return known;
  try {
    const parsed =
      key.algorithm === "rsa-sha256"
        ? createPublicKey({ key: Buffer.from(key.bytes), format: "der", type: "spki" })
        : createPublicKey({
            key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.bytes).toString("base64url") },
            format: "jwk",
          });
    publicKeys.set(key, parsed);
    return parsed;
  } catch {
    return undefined;
  }
}
