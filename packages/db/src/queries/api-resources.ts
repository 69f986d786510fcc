import type { ApiResource } from "@gatehouse/auth";
import { asc } from "drizzle-orm";
import type { Handle } from "../handle.ts";

/** Every resource, disabled ones too, by id. */
export function listResources({ db, tables: { apiResources } }: Handle): Promise<ApiResource[]> {
  return db.select().from(apiResources).orderBy(asc(apiResources.id));
}
