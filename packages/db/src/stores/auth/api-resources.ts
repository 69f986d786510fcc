import type { ApiResource } from "@gatehouse/auth";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { lockUntilCommit } from "../../facts.ts";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";

/** Two resources must not take one scope. The first write of each change of scopes, so that it sees those of the others. */
const SCOPES_LOCK = "api_resource_scopes";

/** `version` is raised by each change. */
export type ApiResourceRow = ApiResource & { version: number };

/** Every resource, including disabled ones, by id. */
export function listResources({ db, tables: { apiResources } }: ReadHandle): Promise<ApiResourceRow[]> {
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}

/** Adds a resource, and makes `also` in the same transaction. False if its id is taken, or if another resource has one of its scopes. */
export function insertResource(handle: Handle, resource: ApiResource, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { db, tables } = handle;
  const { apiResources, installation } = tables;
  const idIsFree = sql`not exists (select 1 from ${apiResources} where ${apiResources.id} = ${resource.id})`;
  const free = db
    .update(installation)
    .set({ value: "" })
    .where(and(eq(installation.key, SCOPES_LOCK), idIsFree, scopesAreFree(handle, resource)))
    .returning({ key: installation.key });
  return handle.guarded(free, [db.insert(apiResources).values(resource), ...also], lockUntilCommit(handle, SCOPES_LOCK));
}

/**
 * The condition that no other resource has one of these scopes. Names have neither quotes nor backslashes, so their JSON occurs only as a
 * name; `replace`, unlike SQLite's `like`, tells upper from lower case.
 */
function scopesAreFree({ tables: { apiResources } }: Handle, { id, scopes }: Pick<ApiResource, "id" | "scopes">): SQL | undefined {
  if (scopes.length === 0) return undefined;
  const names = scopes.map(({ name }) => `"name":${JSON.stringify(name)}`);
  const has = names.map((name) => sql`replace(cast(other.scopes as text), ${name}, '') <> cast(other.scopes as text)`);
  return sql`not exists (select 1 from ${apiResources} as other where other.id <> ${id} and (${sql.join(has, sql` or `)}))`;
}

/**
 * Changes anything but the id, and makes `also` in the same transaction. False if there is no such resource, if it is not at `version` any
 * more, or if another resource has one of the new scopes.
 */
export function updateResource(
  handle: Handle,
  id: string,
  change: Partial<Omit<ApiResource, "id" | "createdAt">>,
  { version, also = [] }: { version?: number | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  const { apiResources } = handle.tables;
  const free = scopesAreFree(handle, { id, scopes: change.scopes ?? [] });
  const update = handle.db
    .update(apiResources)
    .set({ ...change, version: sql`${apiResources.version} + 1` })
    .where(and(eq(apiResources.id, id), version === undefined ? undefined : eq(apiResources.version, version), free))
    .returning({ id: apiResources.id });
  return handle.guarded(update, also, free && lockUntilCommit(handle, SCOPES_LOCK));
}

/** Deletes the resource; its tokens are no longer accepted. Makes `also` in the same transaction. False if there was none. */
export function deleteResource(handle: Handle, id: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiResources } = handle.tables;
  return handle.guarded(handle.db.delete(apiResources).where(eq(apiResources.id, id)).returning({ id: apiResources.id }), also);
}
