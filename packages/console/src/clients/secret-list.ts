import { listSecretCreators, type SecretCreator } from "../audit/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { longestPause, type RotationVerdict, rotationVerdict, usedRecently } from "../secrets/rotation.ts";
import { type ClientSecretRow, listClientSecrets } from "./secret-queries.ts";
import { secretUse } from "./usage-queries.ts";
import { getClient, isLiveSecret } from "./view.ts";

/** A secret of a client as the console lists it. Times are Unix seconds. */
export type ListedSecret = {
  id: string;
  /** Its last four characters. Empty if they are not known. */
  hint: string;
  state: "live" | "ended";
  createdAt: number;
  /**
   * The name of who added it, as the audit log recorded it; null if the log no longer has it, or the server made the
   * secret.
   */
  addedBy: string | null;
  /** When it ends or ended; null if no end is set. */
  endsAt: number | null;
  /** Up to a minute old. */
  lastUsedAt: number | null;
  /** Whether it was used in the last 24 hours: ending it now needs its last four characters. */
  usedRecently: boolean;
  /** Uses on each of the last 30 days in UTC, oldest first; the last one is today. */
  uses: number[];
  /** Null for ended ones. */
  rotation: RotationVerdict | null;
};

const DAY = 86_400;
const DAYS = 30;
/** The sweeper deletes ended secrets after 90 days; a client that rotates faster shows its newest ones. */
const MAX_LISTED = 50;

/**
 * The live secrets of a client and those that ended in the last 90 days, newest first. Throws `not_found`. CO-31,
 * CO-32.
 */
export async function listSecrets(
  clientId: string,
  deps: Pick<OperationDeps, "db" | "reads" | "now">,
): Promise<ListedSecret[]> {
  const { db, reads } = deps;
  const now = deps.now();
  await getClient(clientId, deps);
  const rows = (await listClientSecrets(db, [clientId])).reverse().slice(0, MAX_LISTED);
  const fromDay = now - (now % DAY) - (DAYS - 1) * DAY;
  const [use, makers] = await Promise.all([
    secretUse(
      reads,
      rows.map(({ id }) => id),
      fromDay,
    ),
    listSecretCreators(
      reads,
      clientId,
      rows.map(({ createdAt }) => createdAt),
    ),
  ]);
  const live = rows.filter((row) => isLiveSecret(row, now));
  return rows.map((row) => {
    const days = use.filter(({ secretId }) => secretId === row.id);
    const alive = live.includes(row);
    const pause = longestPause(days.map(({ day }) => day));
    return {
      id: row.id,
      hint: row.hint,
      state: alive ? "live" : "ended",
      createdAt: row.createdAt,
      lastUsedAt: row.lastUsedAt,
      addedBy: makerOf(row, makers),
      endsAt: endOf(row),
      usedRecently: usedRecently(row.lastUsedAt, now),
      uses: Array.from(
        { length: DAYS },
        (_, index) => days.find(({ day }) => day === fromDay + index * DAY)?.uses ?? 0,
      ),
      rotation: alive ? rotationVerdict(row, live, pause, now) : null,
    };
  });
}

function makerOf({ hint, createdAt }: ClientSecretRow, makers: readonly SecretCreator[]): string | null {
  const own = makers.filter(({ at, detail }) => at >= createdAt && detail["secret"] === `…${hint}`);
  return own.toSorted((a, b) => a.at - b.at)[0]?.actorName ?? null;
}

function endOf({ expiresAt, revokedAt }: ClientSecretRow): number | null {
  const ends = [expiresAt, revokedAt].filter((end) => end !== null);
  return ends.length > 0 ? Math.min(...ends) : null;
}
