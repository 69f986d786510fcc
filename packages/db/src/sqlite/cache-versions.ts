import type Sqlite from "better-sqlite3";
import { CACHES, type CacheName, type CacheVersions } from "../cache/caches.ts";
import { currentTurn } from "../cache/turn.ts";
import { orUnavailable } from "../errors/unavailable.ts";

export type LocalVersionReader = {
  /**
   * The versions now: every commit before this call counts, of any process. Throws StoreUnavailable when the database
   * cannot be read.
   */
  read(): CacheVersions;
  /**
   * Call it when this connection writes, inside the transaction: no reader runs before the commit, which is in the same
   * turn.
   */
  wrote(): void;
};

const NAMES = Object.keys(CACHES) as CacheName[];
const SELECT = `SELECT ${NAMES.map((name) => CACHES[name]).join(", ")} FROM cache_versions`;

/**
 * Reads the versions over a connection. In a turn of the event loop in which requests arrived (turn.ts), one read
 * serves all of them, until this connection writes; at any other time each call reads.
 */
export function createVersionReader(connection: Sqlite.Database): LocalVersionReader {
  let select: Sqlite.Statement<[], number[]> | undefined;
  let counters: readonly number[] = [];
  let versions = {} as CacheVersions;
  let readIn = 0;

  function readCounters(): readonly number[] {
    try {
      select ??= connection.prepare<[], number[]>(SELECT).raw(true);
      const row = select.get();
      if (row) return row;
    } catch (cause) {
      throw orUnavailable(cause);
    }
    throw new Error("cache_versions has no row");
  }

  return {
    read() {
      if (currentTurn.isOpen && readIn === currentTurn.number) return versions;
      const current = readCounters();
      readIn = currentTurn.isOpen ? currentTurn.number : 0;
      if (current.some((counter, at) => counter !== counters[at])) {
        counters = current;
        versions = Object.fromEntries(NAMES.map((name, at) => [name, current[at]])) as CacheVersions;
      }
      return versions;
    },
    wrote() {
      readIn = 0;
    },
  };
}
