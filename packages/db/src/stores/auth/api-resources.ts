import type { ApiResource } from "@gatehouse/auth";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { lockUntilCommit } from "../../facts.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

/**
 * Two resources must not take one scope. The first write of each change of scopes, so that it sees those of the others.
 */
const SCOPES_LOCK = "api_resource_scopes";

/** `version` is raised by each change. */
export type ApiResourceRow = ApiResource & { version: number };

/** Every resource, including disabled ones, by id. */
export function listResources(db: ReadDb): Promise<ApiResourceRow[]> {
  const { apiResources } = db.tables;
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}

/**
 * Adds a resource, and makes `also` in the same transaction. False if its id is taken, or if another resource has one
 * of its scopes.
 */
export function insertResource(db: Db, resource: ApiResource, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiResources, installation } = db.tables;
  const idIsFree = sql`not exists (select 1 from ${apiResources} where ${apiResources.id} = ${resource.id})`;
  const free = db
    .update(installation)
    .set({ value: "" })
    .where(and(eq(installation.key, SCOPES_LOCK), idIsFree, scopesAreFree(db, resource)))
    .returning({ key: installation.key });
  return db.guarded(free, [db.insert(apiResources).values(resource), ...also], lockUntilCommit(db, SCOPES_LOCK));
}

/**
 * The condition that no other resource has one of these scopes. Names have neither quotes nor backslashes, so their
 * JSON occurs only as a name; `replace`, unlike SQLite's `like`, tells upper from lower case.
 */
function scopesAreFree(
  { tables: { apiResources } }: Db,
  { id, scopes }: Pick<ApiResource, "id" | "scopes">,
): SQL | undefined {
  if (scopes.length === 0) return undefined;
  const names = scopes.map(({ name }) => `"name":${JSON.stringify(name)}`);
  const has = names.map((name) => sql`replace(cast(other.scopes as text), ${name}, '') <> cast(other.scopes as text)`);
  return sql`not exists (select 1 from ${apiResources} as other where other.id <> ${id} and (${sql.join(has, sql` or `)}))`;
}

/**
 * Changes anything but the id, and makes `also` in the same transaction. False if there is no such resource, if it is
 * not at `version` any more, or if another resource has one of the new scopes.
 */
export function updateResource(
  db: Db,
  id: string,
  change: Partial<Omit<ApiResource, "id" | "createdAt">>,
  { version, also = [] }: { version?: number | undefined; also?: readonly WriteQuery[] } = {},
): Promise<boolean> {
  const { apiResources } = db.tables;
  const free = scopesAreFree(db, { id, scopes: change.scopes ?? [] });
  const update = db
    .update(apiResources)
    .set({ ...change, version: sql`${apiResources.version} + 1` })
    .where(and(eq(apiResources.id, id), version === undefined ? undefined : eq(apiResources.version, version), free))
    .returning({ id: apiResources.id });
  return db.guarded(update, also, free && lockUntilCommit(db, SCOPES_LOCK));
}

/**
 * Deletes the resource; its tokens are no longer accepted. Makes `also` in the same transaction. False if there was
 * none.
 */
export function deleteResource(db: Db, id: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { apiResources } = db.tables;
  return db.guarded(db.delete(apiResources).where(eq(apiResources.id, id)).returning({ id: apiResources.id }), also);
}
