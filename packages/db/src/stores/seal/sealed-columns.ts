import { and, asc, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db, ReadDb, Tables, WriteQuery } from "../../query/db.ts";

/** A sealed value as it is stored. `key` is the primary key of its row; `kind` is what else its purpose consists of. */
export type SealedValue = { key: string; sealed: string; kind: string };

/** A column with values that were sealed. OP-15. */
export type SealedColumn = {
  /** Values in the order of their keys, from the first after `after`. */
  list(db: ReadDb, after: string, limit: number): Promise<SealedValue[]>;
  /** Replaces a value. Returns no row if it is another one by now. */
  replacement(db: Db, from: SealedValue, sealed: string): WriteQuery;
};

/**
 * Every column with sealed values that are rows of their own; saved settings are part of one. Not among them:
 * `refresh_families.sealed_response`, which only a token opens that is presented again within seconds.
 */
export const SEALED_COLUMNS = {
  signing_keys: column(({ signingKeys: t }) => ({ table: t, key: t.kid, sealed: t.sealedPrivateJwk })),
  webhook_secrets: column(({ webhookSecrets: t }) => ({ table: t, key: t.id, sealed: t.sealed })),
  sign_in_providers: column(({ signInProviders: t }) => ({ table: t, key: t.id, sealed: t.secret })),
  totp_secrets: column(({ totpSecrets: t }) => ({ table: t, key: t.userId, sealed: t.secret })),
  mailed_tokens: column(({ mailedTokens: t }) => ({ table: t, key: t.hash, sealed: t.data, kind: t.purpose })),
  mails: column(({ mails: t }) => ({ table: t, key: t.id, sealed: t.payload })),
  sessions: { list: listIdTokens, replacement: idTokenReplacement },
} as const satisfies Record<string, SealedColumn>;

export type SealedColumnName = keyof typeof SEALED_COLUMNS;

type Place = { table: PgTable; key: PgColumn; sealed: PgColumn; kind?: PgColumn };

function column(placeIn: (tables: Tables) => Place): SealedColumn {
  return {
    async list(db, after, limit) {
      const { table, key, sealed, kind } = placeIn(db.tables);
      const text = (value: PgColumn) => sql<string>`${value}`;
      return db
        .select({ key: text(key), sealed: text(sealed), kind: kind ? text(kind) : sql<string>`''` })
        .from(table)
        .where(and(gt(key, after), isNotNull(sealed)))
        .orderBy(asc(key))
        .limit(limit);
    },
    replacement(db, from, sealed) {
      const place = placeIn(db.tables);
      const same = and(eq(place.key, from.key), eq(place.sealed, from.sealed));
      return update(db, place, same, sealed);
    },
  };
}

function update(db: Db, { table, key, sealed }: Place, where: SQL | undefined, to: string): WriteQuery {
  const property = propertyOf(table, sealed);
  return db
    .update(table)
    .set({ [property]: to })
    .where(where)
    .returning({ key });
}

/** Drizzle's name of a column. */
function propertyOf(table: PgTable, column: PgColumn): string {
  const found = Object.entries(table).find(([, value]) => value === column);
  if (!found) throw new Error(`no column ${column.name}`);
  return found[0];
}

/** ID tokens of sign-in providers, within the JSON of a session, which is never changed. */
async function listIdTokens(db: ReadDb, after: string, limit: number): Promise<SealedValue[]> {
  const { sessions: s } = db.tables;
  const rows = await db
    .select({ key: s.hash, upstream: s.upstream })
    .from(s)
    .where(and(sql`${s.hash} > ${after}`, isNotNull(s.upstream)))
    .orderBy(asc(s.hash))
    .limit(limit);
  return rows.map(({ key, upstream }) => ({ key, sealed: upstream?.idToken ?? "", kind: upstream?.provider ?? "" }));
}

function idTokenReplacement(db: Db, { key, kind }: SealedValue, idToken: string): WriteQuery {
  const { sessions: s } = db.tables;
  return db
    .update(s)
    .set({ upstream: { provider: kind, idToken } })
    .where(and(sql`${s.hash} = ${key}`, isNotNull(s.upstream)))
    .returning({ hash: s.hash });
}
