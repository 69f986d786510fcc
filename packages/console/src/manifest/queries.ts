import type { BrandingSettings } from "@gatehouse/accounts";
import type { ReadDb } from "@gatehouse/db/query/db";
import { asc, eq, gt } from "drizzle-orm";
import { type ClientRow, clientColumns } from "../clients/queries.ts";

/** An application as an exported file describes it. */
export type ConfiguredApplication = {
  id: string;
  name: string;
  description: string;
  branding: BrandingSettings | null;
};

/** A page of all applications, by id. */
export function listConfiguredApplications(
  db: ReadDb,
  { after, limit }: { after: string; limit: number },
): Promise<ConfiguredApplication[]> {
  const { applications: a, applicationBranding: b } = db.tables;
  return db
    .select({ id: a.id, name: a.name, description: a.description, branding: b.settings })
    .from(a)
    .leftJoin(b, eq(b.applicationId, a.id))
    .where(gt(a.id, after))
    .orderBy(asc(a.id))
    .limit(limit);
}

/** A page of all clients, by id. */
export function listConfiguredClients(
  db: ReadDb,
  { after, limit }: { after: string; limit: number },
): Promise<ClientRow[]> {
  const { tables } = db;
  const { clients, applications } = tables;
  return db
    .select(clientColumns(tables))
    .from(clients)
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(gt(clients.id, after))
    .orderBy(asc(clients.id))
    .limit(limit);
}
