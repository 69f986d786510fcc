/** How a signature is made. HMACs are compared in constant time, the other verified under a public key. */
export type Algorithm = "hmac-sha256" | "ed25519";

export type Signature = { algorithm: Algorithm; bytes: Uint8Array };
export type Key = { algorithm: Algorithm; bytes: Uint8Array };

/** What the headers say about the signature, before anything is believed. */
export type Claim =
  | { kind: "missing" }
  | { kind: "malformed"; problem: string }
  | { kind: "scheme_unknown"; schemes: readonly string[] }
  | {
      kind: "signed";
      /** Any one of these has to fit; senders put several in while they rotate a secret. */
      signatures: readonly Signature[];
      /** What is signed before the raw body: the signed bytes are this text followed by the body. */
      prefix: string;
      /** Unix seconds. */
      timestamp: number;
    };

/** What identifies an event. Either is null when the sender gave none that can be kept. */
export type EventIdentity = { id: string | null; type: string | null };

/** One provider's scheme: data and pure functions over headers and parsed JSON, no state. */
export type Adapter = {
  /** For people. */
  name: string;
  /** The header that makes a delivery a signed one, for messages and documentation. */
  signatureHeader: string;
  /** How far the signed timestamp may be from our clock, either way. */
  toleranceSeconds: number;
  readClaim(headers: Headers): Claim;
  /** The readings of a configured secret, trimmed and not empty. None when the provider cannot have issued it. */
  keysOf(secret: string): readonly Key[];
  /** `payload` is whatever JSON there was: an object, but also null, a number, a string or an array. */
  identify(headers: Headers, payload: unknown): EventIdentity;
};

/** At most this many signatures of one header are tried. */
export const MAX_SIGNATURES = 16;
/** A longer signature header is refused unread. */
export const MAX_SIGNATURE_HEADER_LENGTH = 8192;

/** The claim that a list of signatures amounts to, once the header's syntax is known. */
export function claimOf(found: {
  signatures: readonly Signature[];
  /** Why entries of a scheme we know could not be used. */
  problems: readonly string[];
  unknownSchemes: readonly string[];
  prefix: string;
  timestamp: number;
}): Claim {
  const { signatures, problems, unknownSchemes, prefix, timestamp } = found;
  if (signatures.length > 0) return { kind: "signed", signatures: signatures.slice(0, MAX_SIGNATURES), prefix, timestamp };
  const [problem] = problems;
  if (problem !== undefined) return { kind: "malformed", problem };
  // Never fall back to a weaker scheme: Stripe's v0 is no proof of anything.
  if (unknownSchemes.length > 0) return { kind: "scheme_unknown", schemes: unknownSchemes };
  return { kind: "malformed", problem: "it holds no signature" };
}
