import type { Environment, Refusal } from "@gatehouse/auth";
import type { RefusalFilter } from "@gatehouse/lists";
import { and, eq } from "drizzle-orm";
import type { Handle, ReadHandle, Tables } from "../query/handle.ts";
import { placeholders, prepared } from "../query/prepared.ts";
import type { Position } from "./page.ts";
import { type Found, judged, scanPage } from "./scan.ts";

const TEXT_LIMIT = 1000;
const cut = (text: string) => (text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text);
const cutOrNull = (text: string | null) => (text === null ? null : cut(text));

const INSERT = ({ db, tables: { refusals } }: Handle) => db.insert(refusals).values(placeholders(refusals)).onConflictDoNothing();

/** Writes one row of the ledger. Values from the request are truncated. */
export async function insertRefusal(handle: Handle, refusal: Refusal): Promise<void> {
  await prepared(handle, "insert_refusal", INSERT).execute({
    ...refusal,
    endpoint: cut(refusal.endpoint),
    message: cut(refusal.message),
    detail: Object.fromEntries(Object.entries(refusal.detail).map(([key, value]) => [key, typeof value === "string" ? cut(value) : value])),
    clientId: cutOrNull(refusal.clientId),
    address: cutOrNull(refusal.address),
  });
}

/** A refusal with the client that it names; null if there is no such client. */
export type RefusalRow = Refusal & { applicationName: string | null; environment: Environment | null };

const rowColumns = ({ refusals, applications, clients }: Tables) => ({
  errorId: refusals.errorId,
  at: refusals.at,
  endpoint: refusals.endpoint,
  error: refusals.error,
  cause: refusals.cause,
  message: refusals.message,
  detail: refusals.detail,
  clientId: refusals.clientId,
  address: refusals.address,
  applicationName: applications.name,
  environment: clients.environment,
});

export async function findRefusal({ db, tables }: ReadHandle, errorId: string): Promise<RefusalRow | undefined> {
  const { refusals, clients, applications } = tables;
  const [row] = await db
    .select(rowColumns(tables))
    .from(refusals)
    .leftJoin(clients, eq(clients.id, refusals.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(refusals.errorId, errorId));
  return row;
}

/** Newest first. `maxRows`: how many rows to examine; the sweeper keeps ten thousand. */
export function listRefusalRows(
  handle: ReadHandle,
  { clientId, cause, from, to }: RefusalFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<Found<RefusalRow>> {
  const { db, tables } = handle;
  const { refusals, clients, applications } = tables;
  const index = { table: refusals, at: refusals.at, id: refusals.errorId };
  const residual = and(judged(refusals.clientId, clientId), judged(refusals.cause, cause));
  return scanPage(handle, { index, from, to, residual, position, limit, maxRows }, (condition, order) =>
    db
      .select(rowColumns(tables))
      .from(refusals)
      .leftJoin(clients, eq(clients.id, refusals.clientId))
      .leftJoin(applications, eq(applications.id, clients.applicationId))
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}
