import { isDeepStrictEqual } from "node:util";
import type { Environment } from "@gatehouse/auth";
import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import { effectOf } from "../../audit/actions.ts";
import { type ListedAuditRow, listAuditHistory } from "../../audit/queries.ts";
import type { OperationDeps } from "../../deps.ts";
import { MANAGED_KINDS } from "../../managed/managed-view.ts";
import { hasManagedObjects, listTouchedObjects, type ManagedRow } from "../../managed/queries.ts";
import { findUsedClientId } from "../../removed/queries.ts";
import type { Change, LiveChanges } from "../change.ts";
import { applicationDrift } from "../kinds/applications.ts";
import { clientDrift } from "../kinds/clients.ts";
import { resourceDrift } from "../kinds/resources.ts";
import { providerDrift } from "../kinds/sign-in-providers.ts";
import { webhookDrift } from "../kinds/webhooks.ts";
import { keyOf } from "./recording.ts";

/** One field that is not what the file states, and who changed it; or an object that somebody removed. CO-73. */
export type Drift = {
  kind: ManagedKind;
  id: string;
  name: string;
  environment: Environment | null;
  file: string;
  /** By its name in the file; null if the whole object was removed. */
  field: string | null;
  fileValue: unknown;
  liveValue: unknown;
  /** By the audit log; null if its rows are deleted. */
  by: { name: string; at: number; row: { id: string; number: number | null } } | null;
};

export type DriftPage = {
  drift: Drift[];
  /** Whether any file manages any object. */
  managed: boolean;
  /** Where to search on; null at the end. */
  nextCursor: string | null;
};

/** How many objects that somebody changed one call compares. */
const MAX_OBJECTS = 200;
/** How many rows about an object are searched for the change of a field. */
const MAX_ROWS = 100;

const LIVE_CHANGES: Record<ManagedKind, LiveChanges> = {
  resource: resourceDrift,
  application: applicationDrift,
  client: clientDrift,
  webhook_endpoint: webhookDrift,
  sign_in_provider: providerDrift,
};

/**
 * What differs from the files that manage it: file value, live value, who changed it and when. Compares only objects
 * that the audit log says somebody changed, with the functions that a plan uses, so that both agree. CO-73.
 */
export async function listDrift({ cursor }: { cursor?: string | undefined }, deps: OperationDeps): Promise<DriftPage> {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const { rows, next } = await listTouchedObjects(deps.reads, { after, limit: MAX_OBJECTS });
  const drift: Drift[] = [];
  for (const kind of MANAGED_KINDS) {
    const ofKind = rows.filter((row) => row.kind === kind);
    const changes = ofKind.length === 0 ? [] : await LIVE_CHANGES[kind](ofKind, deps);
    for (const [at, row] of ofKind.entries()) drift.push(...(await driftOf(row, changes[at], deps)));
  }
  return {
    drift,
    managed: rows.length > 0 || (await hasManagedObjects(deps.reads)),
    nextCursor: next ? keyOf(next) : null,
  };
}

/** A cursor is the key of the object after which the search continues. Any text is a place in the order. */
function placeIn(cursor: string): { kind: string; object: string } {
  const [kind = "", ...object] = cursor.split(" ");
  return { kind, object: object.join(" ") };
}

async function driftOf(row: ManagedRow, change: Change | undefined, deps: OperationDeps): Promise<Drift[]> {
  if (!change) return [await removal(row, deps)];
  if (change.fields.length === 0) return [];
  const log = await changesSince(row, row.object, deps);
  const { name, environment = null } = change;
  const { kind, object: id, file } = row;
  return change.fields.map(({ field, before, after }) => {
    const by = log.find((entry) => touches(entry, field)) ?? log[0];
    return { kind, id, name, environment, file, field, fileValue: after, liveValue: before, by: authorOf(by) };
  });
}

/** A client can also have gone with its application. */
async function removal(row: ManagedRow, deps: OperationDeps): Promise<Drift> {
  const { kind, object: id, file, settings } = row;
  const own = await changesSince(row, id, deps);
  const isRemoval = ({ action }: ListedAuditRow) => effectOf(action) === "removed";
  const application = kind === "client" ? (await findUsedClientId(deps.db, id))?.applicationId : undefined;
  const removed =
    own.find(isRemoval) ??
    (application === undefined ? undefined : (await changesSince(row, application, deps)).find(isRemoval));
  const name =
    own.find(({ objectName }) => objectName !== null)?.objectName ??
    (typeof settings["name"] === "string" ? settings["name"] : id);
  const environment = own.find((entry) => entry.environment !== null)?.environment ?? null;
  const values = { field: null, fileValue: null, liveValue: null };
  return { kind, id, name, environment, file, ...values, by: authorOf(removed ?? own[0]) };
}

/** The rows about an object since its apply, newest first, without those of an apply. */
async function changesSince(
  { auditFrom }: ManagedRow,
  object: string,
  { reads }: OperationDeps,
): Promise<ListedAuditRow[]> {
  const rows = await listAuditHistory(reads, { objects: [object], limit: MAX_ROWS });
  return rows.filter(({ id, detail }) => id >= auditFrom && detail["file"] === undefined);
}

function authorOf(row: ListedAuditRow | undefined): Drift["by"] {
  return row ? { name: row.actorName, at: row.at, row: { id: row.id, number: row.number } } : null;
}

/** Whether a row of the log records a change of this field. */
function touches({ action, detail }: ListedAuditRow, field: string): boolean {
  if (field === "enabled" || field === "branding") return effectOf(action) === field;
  const name = field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const changes = memberOf(detail, "changes");
  if (memberOf(changes, name) !== undefined) return true;
  return ["options", "settings"].some((column) => {
    const change = memberOf(changes, column);
    return !isDeepStrictEqual(memberOf(memberOf(change, "before"), name), memberOf(memberOf(change, "after"), name));
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
