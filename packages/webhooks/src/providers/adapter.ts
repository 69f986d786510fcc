/** Signature algorithms. HMACs are compared in constant time; ed25519 is verified with a public key. */
export type Algorithm = "hmac-sha256" | "ed25519";

export type Signature = { algorithm: Algorithm; bytes: Uint8Array };
export type Key = { algorithm: Algorithm; bytes: Uint8Array };

/** What the headers claim about the signature, before it is verified. */
export type Claim =
  | { kind: "missing" }
  | { kind: "malformed"; problem: string }
  | { kind: "scheme_unknown"; schemes: readonly string[] }
  | {
      kind: "signed";
      /** One of these must match. Senders include several while they rotate a secret. */
      signatures: readonly Signature[];
      /** The signed bytes are this text followed by the raw body. */
      prefix: string;
      /** Unix seconds. */
      timestamp: number;
    };

/** What identifies an event. Each is null if the sender gave none that can be stored. */
export type EventIdentity = { id: string | null; type: string | null };

/** The scheme of one provider: data and pure functions over headers and parsed JSON. */
export type Adapter = {
  /** The display name. */
  name: string;
  /** The header with the signature, for messages. */
  signatureHeader: string;
  /** The maximum difference between the signed timestamp and our clock, in either direction. */
  toleranceSeconds: number;
  readClaim(headers: Headers): Claim;
  /** The keys that a configured secret (trimmed, not empty) stands for. Empty if the provider cannot have issued it. */
  keysOf(secret: string): readonly Key[];
  /** `payload` is any JSON value, not only an object. */
  identify(headers: Headers, payload: unknown): EventIdentity;
};

/** The maximum number of signatures of one header that are tried. */
const MAX_SIGNATURES = 16;
/** Longer signature headers are rejected without parsing. */
export const MAX_SIGNATURE_HEADER_LENGTH = 8192;

/** Turns a parsed signature header into a claim. */
export function claimOf(found: {
  signatures: readonly Signature[];
  /** Why entries of a known scheme could not be used. */
  problems: readonly string[];
  unknownSchemes: readonly string[];
  prefix: string;
  timestamp: number;
}): Claim {
  const { signatures, problems, unknownSchemes, prefix, timestamp } = found;
  if (signatures.length > 0) return { kind: "signed", signatures: signatures.slice(0, MAX_SIGNATURES), prefix, timestamp };
  const [problem] = problems;
  if (problem !== undefined) return { kind: "malformed", problem };
  // Never fall back to a weaker scheme: Stripe's v0 proves nothing.
  if (unknownSchemes.length > 0) return { kind: "scheme_unknown", schemes: unknownSchemes };
  return { kind: "malformed", problem: "it contains no signature" };
}
