import type { ReadDb } from "@gatehouse/db/query/db";
import { and, eq, exists, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** What a word of a name or description can follow, as patterns of `like`. */
const WORD_STARTS = [" ", "-", "\\_", ".", "("];
/** How many clients a search by the beginning of an id or by the end of a secret finds. */
const MOST_OWNERS = 500;
/** How many clients a search by host looks up at once. */
const MOST_WITH_HOST = 2_000;
/** Of a secret, as `client_secrets.hint` has them. */
const LAST_CHARACTERS = 4;

/** Every text that begins with this one is below it, compared by bytes. */
const above = (prefix: string) => `${prefix}\u{10FFFF}`;

/** A client of the application meets the condition. */
export function hasClient(db: ReadDb, condition: SQL | undefined): SQL {
  const { applications, clients } = db.tables;
  const own = db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.applicationId, applications.id), condition));
  return exists(own);
}

/**
 * What a search asks of an application: each word begins a word of the name or description; or the text begins a client
 * id, the host of a redirect URI or a label of it, or is the last four characters of a secret. CO-19.
 */
export async function searchCondition(db: ReadDb, text: string): Promise<SQL | undefined> {
  const { applications, clients, clientSecrets } = db.tables;
  const words = text.split(/\s+/).filter((word) => word !== "");
  const named = and(
    ...words.map((word) => or(beginsAWord(applications.name, word), beginsAWord(applications.description, word))),
  );
  const owners = db
    .select({ id: clients.applicationId })
    .from(clients)
    .where(and(gte(clients.id, text), lt(clients.id, above(text))))
    .limit(MOST_OWNERS);
  const holders = db
    .select({ id: clients.applicationId })
    .from(clientSecrets)
    .innerJoin(clients, eq(clients.id, clientSecrets.clientId))
    .where(eq(clientSecrets.hint, text))
    .limit(MOST_OWNERS);
  return or(
    named,
    inArray(applications.id, owners),
    text.length === LAST_CHARACTERS ? inArray(applications.id, holders) : undefined,
    await hostCondition(db, text),
  );
}

/**
 * The text begins the host of a redirect URI or, if it has a dot itself, any label of it. The applications of the
 * clients with such a host are found once. Where there are many, each application's clients are examined instead, since
 * the first page is soon full.
 */
async function hostCondition(db: ReadDb, text: string): Promise<SQL | undefined> {
  if (!/^[\w.:-]{3,}$/.test(text)) return undefined;
  const { applications, clients, clientHosts: h } = db.tables;
  const host = text.toLowerCase();
  const ranges = (host.includes(".") ? [host, `.${host}`] : [host]).map((start) =>
    and(eq(h.kind, "redirect"), gte(h.host, start), lt(h.host, above(start))),
  );
  const oneBeyond = (range: SQL | undefined) =>
    db.select({ id: h.clientId }).from(h).where(range).limit(1).offset(MOST_WITH_HOST);
  const beyond = (await Promise.all(ranges.map(oneBeyond))).flat();
  if (beyond.length > 0) return hasClient(db, or(...ranges.map((range) => isOnHost(db, range))));
  const ownersIn = (range: SQL | undefined) =>
    db.select({ id: clients.applicationId }).from(h).innerJoin(clients, eq(clients.id, h.clientId)).where(range);
  return or(...ranges.map((range) => inArray(applications.id, ownersIn(range))));
}

/** The client has a host in this range. */
function isOnHost(db: ReadDb, range: SQL | undefined): SQL {
  const { clients, clientHosts: h } = db.tables;
  return exists(
    db
      .select({ one: sql`1` })
      .from(h)
      .where(and(eq(h.clientId, clients.id), range)),
  );
}

/** A word of the text begins so: the text itself, or what follows a character that is part of no word. */
function beginsAWord(column: PgColumn, word: string): SQL {
  const escaped = word.replaceAll(/[\\%_]/g, "\\$&");
  const like = (pattern: string) => sql`lower(${column}) like lower(${pattern}) escape '\\'`;
  const atAStart = sql.join(
    [`${escaped}%`, ...WORD_STARTS.map((mark) => `%${mark}${escaped}%`)].map((pattern) => like(pattern)),
    sql` or `,
  );
  // Most rows do not have the word at all, which one comparison tells.
  return sql`(${like(`%${escaped}%`)} and (${atAStart}))`;
}
