import { createHash, randomBytes } from "node:crypto";
import pg from "pg";

/** `auto` finds out at first use; `on` uses names until one is lost; `off` never uses them. `DATABASE_PREPARE`. */
export type Preparing = "auto" | "on" | "off";

/**
 * Whether the statements of a server have names, under which each connection keeps them prepared. A pooler in
 * transaction mode gives every transaction another connection; one that does not know prepared statements then answers
 * that a name is unknown, or already in use. A statement with such an answer had no effect. OP-27.
 */
export type StatementNames = {
  /** False until the first {@link StatementNames.probe} has ended. */
  probed: boolean;
  /**
   * Runs `attempt`, in which names are tried, once for all callers. Never rejects: the next statement meets any failure
   * as well.
   */
  probe(attempt: () => Promise<void>): Promise<void>;
  /** The name to send a statement under; undefined: without one. */
  nameOf(name: string | undefined, sql: string): string | undefined;
  /** Whether a name was lost between two connections; from then on, no statement has one. */
  stopIfLost(cause: unknown): boolean;
};

/** `onLost` is called once, when names are used no longer. */
export function createStatementNames(preparing: Preparing, onLost: () => void = () => {}): StatementNames {
  let used = preparing !== "off";
  let probing: Promise<void> | undefined;
  const sent = new Map<string, { sql: string; name: string }>();

  function stopIfLost(cause: unknown): boolean {
    if (!(cause instanceof pg.DatabaseError) || !LOST_NAME.test(cause.code ?? "")) return false;
    if (used) onLost();
    used = false;
    return true;
  }

  const names: StatementNames = {
    probed: preparing !== "auto",
    probe(attempt) {
      probing ??= attempt()
        .catch(() => {})
        .then(() => {
          names.probed = true;
        });
      return probing;
    },
    nameOf(name, sql) {
      if (name === undefined || !used) return undefined;
      const known = sent.get(name);
      if (known?.sql === sql) return known.name;
      const made = withDigest(name, sql);
      sent.set(name, { sql, name: made });
      return made;
    },
    stopIfLost,
  };
  return names;
}

/** duplicate_prepared_statement, invalid_sql_statement_name */
const LOST_NAME = /^(?:42P05|26000)$/;

const DIGEST_LENGTH = 12;
/** The server cuts off longer names. */
const MAX_NAME_LENGTH = 63;

/**
 * Behind a pooler, another version of the program may have used the same name for another statement: that one would
 * run, without an error.
 */
function withDigest(name: string, sql: string): string {
  const digest = createHash("sha256").update(sql).digest("base64url").slice(0, DIGEST_LENGTH);
  return `${name.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1)} ${digest}`;
}

/** With four statements each, 40 in all. */
const PROBE_ROUNDS = 10;

/**
 * Sends statements with names over two connections, until one is rejected. A pooler that gives the connection used last
 * also gives it to the second client, where the name is in use; one that takes turns gives the first client another
 * connection, where the name is unknown. The rounds are for busy poolers, and for those that choose at random.
 */
export async function tryNames(names: StatementNames, first: pg.ClientBase, second: pg.ClientBase): Promise<void> {
  // No other process has left the same statement behind
  const text = `SELECT '${randomBytes(9).toString("base64url")}'`;
  for (let round = 0; round < PROBE_ROUNDS; round++) {
    const name = names.nameOf(`gatehouse_probe_${round}`, text);
    if (name === undefined) return;
    for (const client of [first, first, second, second]) await client.query({ name, text });
  }
}
