import type { ApiResource } from "@gatehouse/auth";
import { asc, eq } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** Every resource, including disabled ones, by id. */
export function listResources({ db, tables: { apiResources } }: ReadHandle): Promise<ApiResource[]> {
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}

/** Adds a resource. False if its id is taken. */
export async function insertResource({ db, tables: { apiResources } }: Handle, resource: ApiResource): Promise<boolean> {
  const added = await db.insert(apiResources).values(resource).onConflictDoNothing().returning({ id: apiResources.id });
  return added.length === 1;
}

/** Changes anything but the id. False if there is no such resource. */
export async function updateResource(
  { db, tables: { apiResources } }: Handle,
  id: string,
  change: Partial<Omit<ApiResource, "id" | "createdAt">>,
): Promise<boolean> {
  const changed = await db.update(apiResources).set(change).where(eq(apiResources.id, id)).returning({ id: apiResources.id });
  return changed.length === 1;
}

/** Deletes the resource; no API accepts its tokens any more. False if there was none. */
export async function deleteResource({ db, tables: { apiResources } }: Handle, id: string): Promise<boolean> {
  const gone = await db.delete(apiResources).where(eq(apiResources.id, id)).returning({ id: apiResources.id });
  return gone.length === 1;
}
