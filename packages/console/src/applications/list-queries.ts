import type { ReadDb } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { type FoundRows, SCAN_ROWS, scanPage } from "@gatehouse/db/query/scan";
import { and, asc, eq, exists, gt, gte, inArray, isNull, lt, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { ApplicationFilter } from "../lists/lists.ts";
import type { ApplicationRow } from "./queries.ts";
import { hasClient, searchCondition } from "./search-queries.ts";

const DAY = 86_400;
/** An application counts as silent after this many seconds without a token. CO-18. */
const SILENT = 90 * DAY;
/** It counts as unused if it got no token within this many seconds of its creation. CO-36. */
const NEW = 7 * DAY;
/** Secrets that end within this time are listed. */
const SOON = 30 * DAY;

/** `lastTokenAt`: 0 before the first token of any of its clients. `refusals`: of the last 24 hours. */
export type ApplicationListRow = ApplicationRow & { lastTokenAt: number; refusals: number };

type Sort = NonNullable<ApplicationFilter["sort"]>;
type Input = {
  filter: ApplicationFilter;
  position: Position | undefined;
  limit: number;
  now: number;
  maxRows?: number | undefined;
};

/**
 * A page of applications: newest first unless `filter.sort` says otherwise. `first` is the application with this name,
 * in any case, or exactly this client id; on the first page only. The filters are applied row by row, along the index
 * of the order, for at most `maxRows` rows. CO-18, CO-19.
 */
export async function listApplicationRows(db: ReadDb, input: Input): Promise<FoundRows<ApplicationListRow>> {
  const { filter, position } = input;
  const { applications } = db.tables;
  const filtered = conditionOf(db, filter, input.now);
  const exact = filter.query ? await exactApplication(db, filter.query, filtered) : undefined;
  const matching = filter.query ? await searchCondition(db, filter.query) : undefined;
  const residual = and(filtered, matching, exact && ne(applications.id, exact.id));
  const found = filter.sort === "name" ? await byName(db, residual, input) : await byNumber(db, residual, input);
  return exact && !position ? { ...found, first: exact } : found;
}

/** The position of a row in an order, for a cursor. A position in the order of names is the id alone. */
export function applicationPosition(
  { id, createdAt, lastTokenAt, refusals }: ApplicationListRow,
  sort: Sort = "created",
): Position {
  const ats: Record<Sort, number> = { created: createdAt, lastToken: lastTokenAt, refusals, name: 0 };
  return { at: ats[sort], id };
}

function select(db: ReadDb) {
  const { applications: a, applicationUse: u } = db.tables;
  const { id, name, description, createdAt, version } = a;
  const columns = { id, name, description, createdAt, version, lastTokenAt: u.lastTokenAt, refusals: u.refusals };
  return db.select(columns).from(a).innerJoin(u, eq(u.applicationId, a.id));
}

/** Highest first, by a column of numbers and the id. */
function byNumber(
  db: ReadDb,
  residual: SQL | undefined,
  { filter, position, limit, maxRows }: Input,
): Promise<FoundRows<ApplicationListRow>> {
  const { applications, applicationUse: use } = db.tables;
  const ofUse = { lastToken: use.lastTokenAt, refusals: use.refusals };
  const at = filter.sort === "lastToken" || filter.sort === "refusals" ? ofUse[filter.sort] : undefined;
  const index = at
    ? { table: use, at, id: use.applicationId }
    : { table: applications, at: applications.createdAt, id: applications.id };
  return scanPage(db, { index, residual, position, limit, maxRows }, (condition, order) =>
    select(db)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

/** In the order of the alphabet; a capital letter counts as a small one. */
async function byName(
  db: ReadDb,
  residual: SQL | undefined,
  { position, limit, maxRows = SCAN_ROWS }: Input,
): Promise<FoundRows<ApplicationListRow>> {
  const { applications: a } = db.tables;
  const key = sql<string>`lower(${a.name})`;
  const order = [asc(key), asc(a.id)];
  // Bounds on the key alone let both engines follow the index; few names differ in nothing but capitals.
  let after: SQL | undefined = gte(key, "");
  if (position) {
    const [last] = await db.select({ key, id: a.id }).from(a).where(eq(a.id, position.id));
    if (!last) return { rows: [], searchedTo: undefined };
    after = and(gte(key, last.key), or(gt(key, last.key), gt(a.id, last.id)));
  }
  const [end] = residual
    ? await db
        .select({ key, id: a.id })
        .from(a)
        .where(after)
        .orderBy(...order)
        .limit(1)
        .offset(maxRows - 1)
    : [];
  const within = end && and(lte(key, end.key), or(lt(key, end.key), lte(a.id, end.id)));
  const rows = await select(db)
    .where(and(after, within, residual))
    .orderBy(...order)
    .limit(limit + 1);
  return { rows, searchedTo: end && rows.length <= limit ? { at: 0, id: end.id } : undefined };
}

/** What the filters other than the search ask of an application. */
function conditionOf(
  db: ReadDb,
  { environment, type, origin, state }: ApplicationFilter,
  now: number,
): SQL | undefined {
  const { clients } = db.tables;
  const ofClient = and(
    environment === undefined ? undefined : eq(clients.environment, environment),
    type === undefined ? undefined : eq(clients.type, type),
    origin === undefined ? undefined : eq(clients.origin, origin),
  );
  return and(
    ofClient && hasClient(db, ofClient),
    state === undefined ? undefined : stateCondition(db, state, ofClient, now),
  );
}

/**
 * What concerns one client must hold for a client that meets `ofClient`; the other states are those of all clients
 * together.
 */
function stateCondition(
  db: ReadDb,
  state: NonNullable<ApplicationFilter["state"]>,
  ofClient: SQL | undefined,
  now: number,
): SQL | undefined {
  const { applications, applicationUse: use, clients, clientSecrets: secrets } = db.tables;
  const lastTokenAt = sql`(${use.lastTokenAt} + 0)`; // a form that no index serves: the index of the order is followed
  switch (state) {
    case "unused":
      return or(
        and(lt(applications.createdAt, now - NEW), sql`${lastTokenAt} = 0`),
        sql`(${lastTokenAt} > 0 and ${lastTokenAt} < ${now - SILENT})`,
        and(
          hasClient(db, undefined),
          not(hasClient(db, or(isNull(clients.disabledAt), gte(clients.disabledAt, now - SILENT)))),
        ),
        anUnusedSecret(db, ofClient, now),
      );
    case "off":
      return and(hasClient(db, undefined), not(hasClient(db, isNull(clients.disabledAt))));
    case "never_used":
      return sql`${lastTokenAt} = 0`;
    case "silent":
      return sql`(${lastTokenAt} > 0 and ${lastTokenAt} < ${now - SILENT})`;
    case "secret_unused":
      return anUnusedSecret(db, ofClient, now);
    case "secret_ends":
      return hasSecret(
        db,
        and(ofClient, isNull(secrets.revokedAt), gt(secrets.expiresAt, now), lte(secrets.expiresAt, now + SOON)),
      );
    case "managed":
      return isManaged(db);
  }
}

/** A file of `gatehouse apply` set the application up, and so it did its clients. CO-73. */
function isManaged(db: ReadDb): SQL {
  const { applications, managedObjects: m } = db.tables;
  const own = db
    .select({ one: sql`1` })
    .from(m)
    .where(and(eq(m.kind, "application"), eq(m.object, applications.id)));
  return exists(own);
}

/** A live secret that was made some time ago has never authenticated its client. */
function anUnusedSecret(db: ReadDb, ofClient: SQL | undefined, now: number): SQL {
  const { clientSecrets: s } = db.tables;
  const live = and(isNull(s.revokedAt), or(isNull(s.expiresAt), gt(s.expiresAt, now)));
  return hasSecret(db, and(ofClient, isNull(s.lastUsedAt), lt(s.createdAt, now - NEW), live));
}

/** A secret of one of the application's clients meets the condition. */
function hasSecret(db: ReadDb, condition: SQL | undefined): SQL {
  const { applications, clients, clientSecrets } = db.tables;
  const own = db
    .select({ one: sql`1` })
    .from(clientSecrets)
    .innerJoin(clients, eq(clients.id, clientSecrets.clientId))
    .where(and(eq(clients.applicationId, applications.id), condition));
  return exists(own);
}

async function exactApplication(
  db: ReadDb,
  text: string,
  filter: SQL | undefined,
): Promise<ApplicationListRow | undefined> {
  const { applications, clients } = db.tables;
  const key = sql<string>`lower(${applications.name})`;
  const [named] = await select(db)
    .where(and(sql`${key} = lower(${text})`, filter))
    .limit(1);
  if (named) return named;
  const ofClient = db.select({ id: clients.applicationId }).from(clients).where(eq(clients.id, text));
  const [owner] = await select(db).where(and(inArray(applications.id, ofClient), filter));
  return owner;
}
