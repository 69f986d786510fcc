import { fromHex } from "../encoding.ts";
import type { Key } from "../providers/adapter.ts";
import type { FindingKind } from "./finding.ts";

/** One way to make an HMAC key from the text of a secret. */
export type Reading = {
  /** Continues "uses the secret". */
  how: string;
  bytes: Uint8Array;
  /** What it is called if it is not the provider's. */
  kind: Extract<FindingKind, "raw_secret" | "decoded_secret">;
};

/** The ways in which libraries read secrets, each key once. */
export function readingsOf(secret: string): Reading[] {
  const bare = secret.replace(/^[a-z]+_/, ""); // whsec_…
  const hasPrefix = bare !== secret;
  const readings: Reading[] = [
    { how: "as text", bytes: Buffer.from(secret), kind: "raw_secret" },
    { how: "as text, without its prefix", bytes: Buffer.from(bare), kind: "raw_secret" },
    { how: decodedFrom("base64", hasPrefix, false), bytes: Buffer.from(bare, "base64"), kind: "decoded_secret" },
    { how: decodedFrom("base64", hasPrefix, true), bytes: Buffer.from(secret, "base64"), kind: "decoded_secret" },
    { how: decodedFrom("hex", hasPrefix, false), bytes: fromHex(bare.toLowerCase()) ?? NO_KEY, kind: "decoded_secret" },
  ];
  return readings.filter(
    ({ bytes }, at) =>
      bytes.length > 0 && readings.findIndex((other) => Buffer.compare(other.bytes, bytes) === 0) === at,
  );
}

const NO_KEY = new Uint8Array();

function decodedFrom(encoding: string, hasPrefix: boolean, keepsPrefix: boolean): string {
  return `decoded from ${encoding}${hasPrefix ? `, ${keepsPrefix ? "with" : "without"} its prefix` : ""}`;
}

/** Whether this reading makes one of the keys. */
export function makes({ bytes }: Reading, keys: readonly Key[]): boolean {
  return keys.some((key) => Buffer.compare(key.bytes, bytes) === 0);
}
