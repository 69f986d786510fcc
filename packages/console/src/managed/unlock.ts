import type { Environment } from "@gatehouse/auth";
import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import { assertMayManageAll, existingApplication } from "../applications/applications.ts";
import { type AuditDeps, type AuditEntry, auditWrite } from "../audit/entry.ts";
import { managedClient } from "../clients/view.ts";
import { DomainError } from "../domain-error.ts";
import { type Author, assertFresh, assertMayManage } from "../permissions.ts";
import { findEndpointRow } from "../webhook-endpoints/queries.ts";
import { type ManagedView, managedView } from "./managed-view.ts";
import { findManagedObject, unlockManagedObject } from "./queries.ts";

type Target = { kind: ManagedKind; id: string };

/**
 * Lets people and programs change an object that a file locks, until the file is applied again. For everybody who may
 * change the object, soon after signing in. Does nothing to an object that is not locked. Throws `not_found` if no file
 * manages it, `forbidden` and `stale_sign_in`. CO-73, CO-88.
 */
export async function unlockManaged({ kind, id }: Target, author: Author, deps: AuditDeps): Promise<ManagedView> {
  const managed = await findManagedObject(deps.db, kind, id);
  if (!managed) throw notManaged();
  const named = await CHANGEABLE[kind](id, author, deps);
  assertFresh(author, deps.now());
  const entry = {
    action: "configuration.unlock" as const,
    object: id,
    detail: { kind, managed_by: managed.file },
    ...named,
  };
  const by = { unlockedAt: deps.now(), unlockedBy: author.name };
  await unlockManagedObject(deps.db, { kind, object: id }, by, [auditWrite(author, entry, deps)]);
  const view = await managedView(kind, id, deps);
  if (!view) throw notManaged();
  return view;
}

type Named = Pick<AuditEntry, "objectName"> & { environment?: Environment };

/** Throws unless the author may change the object of this kind; says what the audit log calls it. */
const CHANGEABLE: Record<ManagedKind, (id: string, author: Author, deps: AuditDeps) => Promise<Named>> = {
  async application(id, author, { db }) {
    await assertMayManageAll(id, author, db);
    return { objectName: (await existingApplication(id, db)).name };
  },
  async client(id, author, { db }) {
    const { name, applicationName, environment } = await managedClient(id, author, db);
    return { objectName: `${applicationName} · ${name}`, environment };
  },
  async webhook_endpoint(slug, author, { db }) {
    const row = await findEndpointRow(db, slug);
    if (!row) throw new DomainError("not_found", `There is no webhook endpoint ${slug}.`);
    assertMayManage(author, row.environment);
    return { environment: row.environment };
  },
  resource: (_, author) => changeableByAdmins(author),
  sign_in_provider: (_, author) => changeableByAdmins(author),
};

async function changeableByAdmins({ role }: Author): Promise<Named> {
  if (role !== "admin") throw new DomainError("forbidden", "Only admins can change this.");
  return {};
}

const notManaged = () => new DomainError("not_found", "No file manages this.");
