import type { ApiResource } from "@gatehouse/auth";
import { asc, eq } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** Every resource, disabled ones too, by id. */
export function listResources({ db, tables: { apiResources } }: ReadHandle): Promise<ApiResource[]> {
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}

/** Adds a resource. False when its id is taken. */
export async function insertResource({ db, tables: { apiResources } }: Handle, resource: ApiResource): Promise<boolean> {
  const added = await db.insert(apiResources).values(resource).onConflictDoNothing().returning({ id: apiResources.id });
  return added.length === 1;
}

/** Changes all but the id. False when there is no such resource. */
export async function updateResource(
  { db, tables: { apiResources } }: Handle,
  id: string,
  change: Partial<Omit<ApiResource, "id" | "createdAt">>,
): Promise<boolean> {
  const changed = await db.update(apiResources).set(change).where(eq(apiResources.id, id)).returning({ id: apiResources.id });
  return changed.length === 1;
}

/** Removes the resource; tokens for it are nothing's any more. False when there was none. */
export async function deleteResource({ db, tables: { apiResources } }: Handle, id: string): Promise<boolean> {
  const gone = await db.delete(apiResources).where(eq(apiResources.id, id)).returning({ id: apiResources.id });
  return gone.length === 1;
}
