import { keyIdOfSealed } from "@gatehouse/auth";
import { auditWrite } from "@gatehouse/console/audit/entry";
import { beginAuditSegment, sealAuditLog } from "@gatehouse/console/audit/sealer";
import type { OperationDeps } from "@gatehouse/console/deps";
import { DomainError } from "@gatehouse/console/domain-error";
import type { Author } from "@gatehouse/console/permissions";
import { findSavedSettings, saveSettings } from "@gatehouse/console/settings/queries";
import { openValues, sealedIn, sealValues } from "@gatehouse/console/settings/sealed";
import type { SealedColumnName } from "@gatehouse/db/stores/seal/sealed-columns";
import { sealedValueReplacement } from "@gatehouse/db/stores/seal/sealed-values";
import { rewrapCanary } from "../secret-in-force.ts";
import { SEALED_COLUMN_NAMES, sealedValues } from "./every-value.ts";
import { forgetKeys, listRegisteredKeys } from "./key-registry.ts";
import { PURPOSES } from "./purposes.ts";
import { listServers } from "./servers.ts";

type Part = Pick<OperationDeps, "db" | "seal" | "now" | "random">;

export type Rewrapped = {
  /** The secret that everything is sealed with now. */
  keyId: string;
  /** How many values were sealed again, by table. */
  rewrapped: Record<string, number>;
  /** How many values none of the secrets opens, by table: they were lost before. */
  unreadable: Record<string, number>;
  /** The secrets that no row needs any more. */
  released: string[];
};

/**
 * Seals every value again with the current secret, 500 at a time and each only if it is still the one that was read, so
 * that it can be interrupted and repeated, while servers run. Then continues the audit log under the current secret,
 * and releases the previous ones. Throws `conflict` while a server runs that does not know the current secret, or still
 * seals with another one. OP-15.
 */
export async function rewrapSealedValues(
  author: Author,
  report: (table: string, values: number) => void,
  deps: Part,
): Promise<Rewrapped> {
  await assertServersSealWith(deps);
  const keyId = deps.seal.keys[0].id;
  const rewrapped: Record<string, number> = {};
  const unreadable: Record<string, number> = {};
  for (const name of SEALED_COLUMN_NAMES) {
    const done = await rewrapColumn(name, (values) => report(name, values), deps);
    if (done.rewrapped > 0) rewrapped[name] = done.rewrapped;
    if (done.unreadable > 0) unreadable[name] = done.unreadable;
  }
  if (await rewrapSettings(deps)) rewrapped["settings"] = 1;
  await rewrapCanary(deps);
  await sealAuditLog(deps);
  await beginAuditSegment(author, [], deps);

  await assertServersSealWith(deps);
  const released = (await listRegisteredKeys(deps.db)).filter((id) => id !== keyId);
  if (released.length > 0) {
    await forgetKeys(released, deps);
    const entry = { action: "secret.rewrap" as const, object: "secret", objectName: "GATEHOUSE_SECRET" };
    await deps.db.transaction([auditWrite(author, { ...entry, detail: { key: keyId, released } }, deps)]);
  }
  return { keyId, rewrapped, unreadable, released };
}

async function assertServersSealWith({ db, seal, now }: Part): Promise<void> {
  const [{ id }] = seal.keys;
  const others = (await listServers(db, now())).filter(({ keys }) => keys[0] !== id);
  if (others.length === 0) return;
  const named = others.map(({ host, pid, keys, seenAt }) => {
    const knows = keys.includes(id) ? "knows it, but seals with" : "does not know it, and seals with";
    return `process ${pid} on ${host} ${knows} ${keys[0]} (seen ${now() - seenAt} s ago)`;
  });
  throw new DomainError(
    "conflict",
    `Not every server seals with the current secret, ${id}, yet: ${named.join("; ")}. ` +
      "Restart each with this GATEHOUSE_SECRET and GATEHOUSE_SECRET_PREVIOUS, then run this again. " +
      "A server that was killed counts for three minutes.",
  );
}

/** Until a whole reading of the column finds nothing to do: servers may write meanwhile. */
async function rewrapColumn(name: SealedColumnName, report: (values: number) => void, deps: Part) {
  for (let rewrapped = 0; ; ) {
    const pass = await passOver(name, (values) => report(rewrapped + values), deps);
    rewrapped += pass.rewrapped;
    if (pass.found === 0) return { rewrapped, unreadable: pass.unreadable };
  }
}

async function passOver(name: SealedColumnName, report: (values: number) => void, deps: Part) {
  const { db, seal } = deps;
  const pass = { found: 0, rewrapped: 0, unreadable: 0 };
  for await (const values of sealedValues(name, deps)) {
    const foreign = values.filter(({ sealed }) => keyIdOfSealed(sealed) !== seal.keys[0].id);
    const writes = foreign.flatMap((value) => {
      const purpose = PURPOSES[name](value);
      const clear = seal.open(purpose, value.sealed);
      return clear === undefined ? [] : [sealedValueReplacement(db, name, value, seal.seal(purpose, clear))];
    });
    pass.found += writes.length;
    pass.unreadable += foreign.length - writes.length;
    if (writes.length === 0) continue;
    const results = await db.transaction(writes);
    pass.rewrapped += results.filter((rows) => rows.length > 0).length;
    report(pass.rewrapped);
  }
  return pass;
}

/** Returns whether it wrote them. */
async function rewrapSettings({ db, seal }: Part): Promise<boolean> {
  for (;;) {
    const { values, version } = await findSavedSettings(db);
    const [{ id }] = seal.keys;
    if (sealedIn(values).every((sealed) => keyIdOfSealed(sealed) === id)) return false;
    const opened = openValues(values, seal);
    if (opened.unreadable.length > 0) return false; // the console asks to enter them again
    if (await saveSettings(db, sealValues(opened.values, seal), { version, also: [] })) return true;
  }
}
