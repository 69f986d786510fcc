import type { ApiResource } from "@gatehouse/auth";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";

/** `version` is raised by each change. */
export type ApiResourceRow = ApiResource & { version: number };

/** Every resource, including disabled ones, by id. */
export function listResources({ db, tables: { apiResources } }: ReadHandle): Promise<ApiResourceRow[]> {
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}

/** Adds a resource, and makes `also` in the same transaction. False if its id is taken. */
export function insertResource(handle: Handle, resource: ApiResource, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiResources } = handle.tables;
  return handle.guarded(handle.db.insert(apiResources).values(resource).onConflictDoNothing().returning({ id: apiResources.id }), also);
}

/**
 * Changes anything but the id, and makes `also` in the same transaction. False if there is no such resource, or if it is not at `version`
 * any more.
 */
export function updateResource(
  handle: Handle,
  id: string,
  change: Partial<Omit<ApiResource, "id" | "createdAt">>,
  { version, also = [] }: { version?: number | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  const { apiResources } = handle.tables;
  const update = handle.db
    .update(apiResources)
    .set({ ...change, version: sql`${apiResources.version} + 1` })
    .where(and(eq(apiResources.id, id), version === undefined ? undefined : eq(apiResources.version, version)))
    .returning({ id: apiResources.id });
  return handle.guarded(update, also);
}

/** Deletes the resource; no API accepts its tokens any more. Makes `also` in the same transaction. False if there was none. */
export function deleteResource(handle: Handle, id: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiResources } = handle.tables;
  return handle.guarded(handle.db.delete(apiResources).where(eq(apiResources.id, id)).returning({ id: apiResources.id }), also);
}
