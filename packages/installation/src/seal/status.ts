import { keyIdOfSealed } from "@gatehouse/auth";
import { chainKeysOf, keyWithId } from "@gatehouse/console/audit/chain";
import { findAuditChain } from "@gatehouse/console/audit/chain-queries";
import type { OperationDeps } from "@gatehouse/console/deps";
import { findSavedSettings } from "@gatehouse/console/settings/queries";
import { sealedIn } from "@gatehouse/console/settings/sealed";
import { SEALED_COLUMN_NAMES, sealedValues } from "./every-value.ts";
import { listRegisteredKeys } from "./key-registry.ts";
import { listServers, type SealingServer } from "./servers.ts";

type Part = Pick<OperationDeps, "db" | "seal" | "now">;

/** A secret, by the id that reveals nothing about it. */
export type SealKeyStatus = {
  keyId: string;
  /** `current`: it seals. `previous`: it only opens. `missing`: this process does not have it. */
  state: "current" | "previous" | "missing";
  /** Rows may need it: without it, no server starts. */
  required: boolean;
  /** How many values it sealed, by table. */
  values: Record<string, number>;
};

export type SealStatus = {
  keys: SealKeyStatus[];
  /** Whose MAC the audit log continues with; null before its first row. */
  auditLog: "current" | "previous" | "missing" | null;
  /** The servers that run now. */
  servers: SealingServer[];
};

/** Which secrets the database needs, and how many values of each table. Reads every sealed value. OP-15. */
export async function sealStatus(deps: Part): Promise<SealStatus> {
  const { db, seal, now } = deps;
  const counts = await countByKey(deps);
  const registered = await listRegisteredKeys(db);
  const known = seal.keys.map(({ id }) => id);
  const ids = new Set([...known, ...registered, ...counts.keys()]);
  const keys = [...ids].map(
    (keyId): SealKeyStatus => ({
      keyId,
      state: keyId === known[0] ? "current" : known.includes(keyId) ? "previous" : "missing",
      required: registered.includes(keyId),
      values: counts.get(keyId) ?? {},
    }),
  );
  return {
    keys,
    auditLog: await auditLogKey(deps),
    servers: await listServers(db, now()),
  };
}

async function countByKey(deps: Part): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  const count = (table: string, sealed: string) => {
    const id = keyIdOfSealed(sealed) ?? "unknown";
    const of = counts.get(id) ?? {};
    counts.set(id, { ...of, [table]: (of[table] ?? 0) + 1 });
  };
  for (const name of SEALED_COLUMN_NAMES)
    for await (const values of sealedValues(name, deps)) for (const { sealed } of values) count(name, sealed);
  const { values } = await findSavedSettings(deps.db);
  for (const sealed of sealedIn(values)) count("settings", sealed);
  return counts;
}

async function auditLogKey({ db, seal }: Part): Promise<SealStatus["auditLog"]> {
  const chain = await findAuditChain(db);
  if (!chain) return null;
  const keys = chainKeysOf(seal);
  const key = keyWithId(keys, chain.keyId);
  return key === undefined ? "missing" : key === keys[0] ? "current" : "previous";
}
