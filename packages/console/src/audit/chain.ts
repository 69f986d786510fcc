import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Seal, SealKey } from "@gatehouse/auth";
import type { AuditRow } from "@gatehouse/db/audit";
import type { AuditChain, AuditCheckpoint, SealedRow } from "./chain-queries.ts";

// The chain of the audit log. CO-65.
//   hash(n) = SHA-256(hash(n - 1), row n)                     over all rows, whatever the secret
//   mac(n)  = HMAC-SHA-256(key, n, hash(n), time of sealing)  under the key of the secret at that time
//
// A MAC under the current key therefore covers every earlier row, also those that were sealed under an earlier secret.
// The column `mac` has the MAC and, after a dot, the time of sealing. Rows of earlier versions have the MAC alone,
// which then covers no time.

export type ChainKey = {
  /** Names the key without revealing it. */
  id: string;
  /** Base64url. */
  mac(...parts: (string | number)[]): string;
  /** Compares in constant time. */
  verifies(mac: string, ...parts: (string | number)[]): boolean;
};

/** The keys of the installation's secrets: the current one first. */
export type ChainKeys = readonly [ChainKey, ...ChainKey[]];

export function chainKeysOf({ keys: [current, ...previous] }: Pick<Seal, "keys">): ChainKeys {
  return [chainKeyOf(current), ...previous.map(chainKeyOf)];
}

/** The key with this id; undefined if it is that of none of the installation's secrets. OP-15. */
export function keyWithId(keys: ChainKeys, id: string | undefined): ChainKey | undefined {
  return keys.find((key) => key.id === id);
}

/** The key of one secret, derived by HKDF for this purpose alone. */
export function chainKeyOf({ derive }: Pick<SealKey, "derive">): ChainKey {
  const key = derive("audit chain v1");
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
  const {
    id,
    at,
    actorId,
    actorName,
    role,
    via,
    action,
    object,
    objectName,
    environment,
    detail,
    address,
    userAgent,
    requestId,
  } = row;
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

type Place = Pick<SealedRow, "number" | "hash">;

/** The MAC of a row at its place in the chain, with the time of sealing. */
export function rowMac(key: ChainKey, { number, hash }: Place, sealedAt: number): string {
  return `${key.mac("row", number, hash, sealedAt)}.${sealedAt}`;
}

/** Whether this key made the MAC of that row. */
export function rowVerifies(key: ChainKey, { number, hash, mac }: Place & Pick<SealedRow, "mac">): boolean {
  const [digest = "", time] = mac.split(".");
  return time === undefined
    ? key.verifies(digest, "row", number, hash)
    : key.verifies(digest, "row", number, hash, Number(time));
}

/** When a row was sealed (Unix seconds); undefined for rows of earlier versions. */
export function sealedAtOf({ mac }: Pick<SealedRow, "mac">): number | undefined {
  const [, time] = mac.split(".");
  return time === undefined ? undefined : Number(time);
}

/** The first row of a segment: an operator continued with another secret (`gatehouse seal rewrap`, `secret accept-new`). */
export const NEW_SECRET = "audit.new_secret";
/** The end of the chain was earlier than a process had seen it. */
export const MOVED_BACK = "audit.chain_moved_back";

/**
 * What is wrong with the stored end of the chain, for example after a change by somebody without the secret; undefined
 * if it is authentic.
 */
export function endProblem(chain: AuditChain, keys: ChainKeys): string | undefined {
  const key = keyWithId(keys, chain.keyId);
  if (!key) return "the chain does not end with a row that was sealed with the installation's secret";
  if (!rowVerifies(key, chain)) return "the end of the chain was changed";
  if (!key.verifies(chain.prunedMac, ...checkpointParts(chain))) return CHECKPOINT_CHANGED;
  return undefined;
}

export const CHECKPOINT_CHANGED = "the mark of the rows that were deleted because of their age was changed";

/** What the MAC of a checkpoint covers. */
export const checkpointParts = ({ prunedNumber, prunedHash }: Pick<AuditCheckpoint, "prunedNumber" | "prunedHash">) =>
  ["checkpoint", prunedNumber, prunedHash] as const;
