import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Seal } from "@gatehouse/auth";
import type { AuditCheckpoint, AuditRow, SealedRow } from "@gatehouse/db";

// The chain of the audit log. CO-65.
//   hash(n) = SHA-256(hash(n - 1), row n)     over all rows, whatever the secret
//   mac(n)  = HMAC-SHA-256(key, n, hash(n))   under the key of the secret at that time
// A MAC under the current key therefore covers every earlier row, also those that were sealed under an earlier secret.

export type ChainKey = {
  /** Names the key without revealing it. */
  id: string;
  /** Base64url. */
  mac(...parts: (string | number)[]): string;
  /** Compares in constant time. */
  verifies(mac: string, ...parts: (string | number)[]): boolean;
};

/** The key of this installation's secret, derived by HKDF for this purpose alone. */
export function chainKeyOf(seal: Pick<Seal, "derive">): ChainKey {
  const key = seal.derive("audit chain v1");
  const digest = (parts: (string | number)[]) => createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  return {
    id: digest(["key id"]).toString("base64url").slice(0, 11),
    mac: (...parts) => digest(parts).toString("base64url"),
    verifies(mac, ...parts) {
      const given = Buffer.from(mac, "base64url");
      const expected = digest(parts);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** The hash of a row at its place in the chain. Base64url. */
export function rowHash(previous: string, number: number, row: Required<AuditRow>): string {
  const { id, at, actorId, actorName, role, via, action, object, objectName, environment, detail, address, userAgent, requestId } = row;
  const who = [actorId, actorName, role, via, address, userAgent, requestId];
  const what = [action, object, objectName, environment, canonical(detail)];
  return createHash("sha256")
    .update(JSON.stringify([previous, number, id, at, ...who, ...what]))
    .digest("base64url");
}

/** The same value for the same JSON, whatever the order of its members. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, canonical(member)]);
}

/** What the MAC of a row covers. */
export const rowParts = ({ number, hash }: Pick<SealedRow, "number" | "hash">) => ["row", number, hash] as const;

/** What the MAC of a checkpoint covers. */
export const checkpointParts = ({ prunedNumber, prunedHash }: Pick<AuditCheckpoint, "prunedNumber" | "prunedHash">) =>
  ["checkpoint", prunedNumber, prunedHash] as const;
