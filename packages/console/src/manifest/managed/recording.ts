import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { MANAGED_KINDS } from "../../managed/managed-view.ts";
import {
  listManagedBy,
  listManagedObjects,
  type ManagedKey,
  type ManagedRow,
  managedObjectRelease,
  managedObjectWrite,
} from "../../managed/queries.ts";
import { type Applier, type Change, canonicalText } from "../change.ts";
import type { StatedObject } from "../export/entry.ts";
import type { Manifest } from "../file/manifest.ts";
import { statedObjects } from "./stated.ts";

/** One text for each object, to compare. */
export const keyOf = ({ kind, object }: ManagedKey): string => `${kind} ${object}`;

type Recorded = StatedObject & { known: ManagedRow | undefined };

/** The objects of the file with what is recorded about them, and those that the file no longer lists. */
async function compare(manifest: Manifest, { author }: Applier, deps: OperationDeps) {
  const objects = await statedObjects(manifest, deps);
  const known = new Map<string, ManagedRow>();
  for (const kind of MANAGED_KINDS) {
    const ofKind = objects.filter((one) => one.kind === kind).map(({ object }) => object);
    for (const row of await listManagedObjects(deps.db, kind, ofKind)) known.set(keyOf(row), row);
  }
  const listed = new Set(objects.map(keyOf));
  const released = (await listManagedBy(deps.db, author.file)).filter((row) => !listed.has(keyOf(row)));
  const differing = objects
    .map((one): Recorded => ({ ...one, known: known.get(keyOf(one)) }))
    .filter((one) => differs(one, manifest, author.file));
  return { objects, differing, released };
}

function differs({ known, settings }: Recorded, { locked }: Manifest, file: string): boolean {
  if (!known || known.file !== file || known.locked !== locked || known.unlockedAt !== null) return true;
  return canonicalText(known.settings) !== canonicalText(settings);
}

/**
 * How many existing objects an apply locks, marks as managed by the file, or releases because the file no longer lists
 * them. CO-73.
 */
export type PlannedRecording = { locks: number; marks: number; releases: number };

/** What an apply records besides what it changes: `changes` are those of its plan. Writes nothing. */
export async function planRecording(
  manifest: Manifest,
  changes: readonly Change[],
  applier: Applier,
  deps: OperationDeps,
): Promise<PlannedRecording> {
  const { differing, released } = await compare(manifest, applier, deps);
  const created = new Set(
    changes.filter(({ action }) => action === "create").map(({ kind, name }) => `${kind} ${name}`),
  );
  const existing = differing.filter((one) => !created.has(keyOf(one)));
  const locks = existing.filter(({ known }) => manifest.locked && !known?.locked).length;
  return { locks, marks: existing.length - locks, releases: released.length };
}

/**
 * Records which objects the file manages, what it states about them, and whether it locks them; forgets those that it
 * no longer lists. Writes nothing if that is recorded already and the apply changed nothing (`isChanged`). CO-73.
 */
export async function recordManaged(
  manifest: Manifest,
  isChanged: (object: ManagedKey) => boolean,
  { startedAt, ...applier }: Applier & { startedAt: number },
  deps: OperationDeps,
): Promise<void> {
  const { objects, differing, released } = await compare(manifest, applier, deps);
  const keys = new Set(differing.map(keyOf));
  const saved = objects.filter((one) => keys.has(keyOf(one)) || isChanged(one));
  if (saved.length === 0 && released.length === 0) return;
  const { author } = applier;
  const { locked } = manifest;
  // From the start of the apply on: what somebody changed meanwhile is drift.
  const common = {
    file: author.file,
    locked,
    appliedAt: startedAt,
    appliedBy: author.name,
    auditFrom: timeOrderedIdsFrom(startedAt),
  };
  const rows = saved.map((one): ManagedRow => ({ ...one, ...common, unlockedAt: null, unlockedBy: null }));
  const detail = { objects: saved.length, locked, released: released.length };
  await deps.db.transaction([
    ...rows.map((row) => managedObjectWrite(deps.db, row)),
    ...released.map((row) => managedObjectRelease(deps.db, row)),
    auditWrite(author, { action: "configuration.apply", object: author.file, objectName: author.file, detail }, deps),
  ]);
}
