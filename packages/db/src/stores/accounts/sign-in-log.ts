import type { SignInAttempt, SignInLog } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { siteKey } from "@gatehouse/runtime";
import type { Db } from "../../query/db.ts";
import { createBoundedWrites, createTrimTimes } from "../bounded-writes.ts";
import { ROWS_OF_BUCKET, type SignInLogRow, writeSignIns } from "./sign-in-rows.ts";

/** Attempts without an account share so many buckets, by the caller's network. */
const NOBODYS_BUCKETS = 64;

/**
 * Writes the sign-in log, as {@link createBoundedWrites} does: of each bucket, the newest fifty. What strangers do to
 * an account pushes out none of its successes, nor the traces of somebody who has its password; what they do to no
 * account, nothing of any account. SL-02.
 */
export function createSignInLog(db: Db): SignInLog {
  const isDue = createTrimTimes(ROWS_OF_BUCKET);
  const recordSignIn = createBoundedWrites<SignInLogRow, null>({
    most: ROWS_OF_BUCKET,
    place: ({ bucket }) => ({ key: bucket, start: () => null }),
    count: () => {},
    async write(buckets) {
      const rows = byId(buckets.flatMap(({ newest }) => newest));
      const trimmed = buckets.filter(({ key, newest }) => isDue(key, newest.length)).map(({ key }) => key);
      try {
        await writeSignIns(db, rows, trimmed);
      } catch {
        await writeSignIns(db, rows, trimmed); // a user was deleted between the look and the write
      }
    },
  });
  return { recordSignIn: (attempt) => recordSignIn({ ...attempt, bucket: bucketOf(attempt) }) };
}

function bucketOf({ userId, outcome, address }: SignInAttempt): string {
  if (userId !== null) return `${outcome} ${userId}`;
  const [byte = 0] = Buffer.from(sha256(siteKey({ address })), "base64url");
  return `nobody ${byte % NOBODYS_BUCKETS}`;
}

/** One row for an attempt that went on while its first row was waiting: a success comes last, in whichever bucket. */
function byId(rows: readonly SignInLogRow[]): SignInLogRow[] {
  const kept = new Map<string, SignInLogRow>();
  for (const row of rows) {
    const known = kept.get(row.id);
    const last = known?.outcome === "signed_in" ? known : row;
    kept.set(row.id, { ...last, at: Math.min(row.at, known?.at ?? row.at) });
  }
  return [...kept.values()];
}
