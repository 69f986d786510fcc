import { createHmac } from "node:crypto";
import { fromBase64, fromHex } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Claim, HmacAlgorithm, Signature, SignedPart } from "./adapter.ts";

/** The maximum number of signatures of one header that are tried. */
const MAX_SIGNATURES = 16;
/** Longer signature headers are rejected without parsing. */
export const MAX_SIGNATURE_HEADER_LENGTH = 8192;

/** The number of bytes of each MAC. */
export const MAC_BYTES: Record<HmacAlgorithm, number> = { "hmac-sha1": 20, "hmac-sha256": 32, "hmac-sha512": 64 };

/** Turns a parsed signature header into a claim. */
export function claimOf(found: {
  signatures: readonly Signature[];
  /** Why entries of a known scheme could not be used. */
  problems: readonly string[];
  unknownSchemes: readonly string[];
  signed: readonly SignedPart[];
  timestamp: number | null;
}): Claim {
  const { signatures, problems, unknownSchemes, signed, timestamp } = found;
  if (signatures.length > 0)
    return { kind: "signed", signatures: signatures.slice(0, MAX_SIGNATURES), signed, timestamp };
  const [problem] = problems;
  if (problem !== undefined) return { kind: "malformed", problem };
  // Never fall back to a weaker scheme: Stripe's v0 proves nothing.
  if (unknownSchemes.length > 0) return { kind: "scheme_unknown", schemes: unknownSchemes };
  return { kind: "malformed", problem: "it contains no signature" };
}

/** A header that holds one MAC, and what it signs. */
export type MacHeader = {
  header: string;
  algorithm: HmacAlgorithm;
  encoding: "hex" | "base64";
  /** Text in front of the MAC, such as `sha256=`. */
  prefix?: string;
  /** Whether the provider sends the header several times while it rotates a secret. Fetch joins them with ", ". */
  repeats?: boolean;
  /** The signed bytes; the raw body by default. */
  signed?: (incoming: Incoming) => readonly SignedPart[];
};

/** Reads the claim of a {@link MacHeader}. */
export function readMacHeader(incoming: Incoming, options: MacHeader): Claim {
  const { header: name, algorithm, encoding, prefix = "", repeats = false, signed } = options;
  const header = incoming.headers.get(name)?.trim();
  if (!header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const signatures: Signature[] = [];
  const problems: string[] = [];
  const unknownSchemes: string[] = [];
  for (const entry of repeats ? header.split(",") : [header]) {
    const value = entry.trim();
    if (!value.startsWith(prefix)) {
      const equals = value.indexOf("=");
      // "sha1=…" is another scheme; anything else is junk.
      if (/^[a-z0-9-]{1,16}$/.test(value.slice(0, Math.max(0, equals)))) unknownSchemes.push(value.slice(0, equals));
      else problems.push(`it does not start with ${prefix}`);
      continue;
    }
    const bytes = decodeMac(value.slice(prefix.length), encoding);
    if (bytes?.length === MAC_BYTES[algorithm]) signatures.push({ algorithm, bytes });
    else problems.push(`it is not ${describeMac(algorithm, encoding)}`);
  }
  return claimOf({
    signatures,
    problems,
    unknownSchemes,
    signed: signed?.(incoming) ?? [incoming.body],
    timestamp: null,
  });
}

export function decodeMac(text: string, encoding: "hex" | "base64"): Uint8Array | undefined {
  return encoding === "hex" ? fromHex(text) : fromBase64(text);
}

/** The form of a MAC, for messages: `64 lower-case hex digits`. */
export function describeMac(algorithm: HmacAlgorithm, encoding: "hex" | "base64"): string {
  const bytes = MAC_BYTES[algorithm];
  return encoding === "hex" ? `${bytes * 2} lower-case hex digits` : `${bytes} bytes of padded base64`;
}

/** The MAC over the parts, one after the other. */
export function macOf(algorithm: HmacAlgorithm, key: string | Uint8Array, parts: readonly SignedPart[]): Buffer {
  const mac = createHmac(algorithm.slice("hmac-".length), key);
  for (const part of parts) mac.update(part);
  return Buffer.from(mac.digest("binary"), "binary"); // `digest()` allocates outside of the pool of buffers
}

/** The secret itself as the key, in UTF-8. */
export const textKey = (secret: string) => [{ algorithm: "hmac-sha256" as const, bytes: Buffer.from(secret) }];
