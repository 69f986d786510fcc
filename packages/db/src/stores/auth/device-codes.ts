import type { DeviceApproval, DeviceCode, DeviceCodeStore, GrantStatus, Hash, TokenUser } from "@gatehouse/auth";
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Db, ReadDb } from "../../query/db.ts";
import { prepared } from "../../query/prepared.ts";
import { grantStatus, grantStatusColumns, userColumns, userOf } from "./grant-status.ts";

/** False if the user code is taken, by a live code or by a dead one that was not swept yet. */
export async function saveDeviceCode(db: Db, code: Parameters<DeviceCodeStore["saveDeviceCode"]>[0]): Promise<boolean> {
  const { deviceCodes } = db.tables;
  const saved = await db
    .insert(deviceCodes)
    .values(code)
    .onConflictDoNothing({ target: deviceCodes.userCode })
    .returning({ hash: deviceCodes.hash });
  return saved.length === 1;
}

const SELECT = (db: Db) => {
  const { tables } = db;
  const { deviceCodes: codes, grants, clients, users } = tables;
  return db
    .select({ code: codes, ...userColumns(tables), ...grantStatusColumns(tables) })
    .from(codes)
    .leftJoin(grants, eq(grants.id, codes.grantId))
    .leftJoin(clients, eq(clients.id, codes.clientId))
    .leftJoin(users, eq(users.id, codes.userId))
    .where(eq(codes.hash, sql.placeholder("hash")));
};

export async function findDeviceCode(
  db: Db,
  hash: Hash,
): Promise<(DeviceCode & GrantStatus & { user: TokenUser }) | undefined> {
  const [row] = await prepared(db, "find_device_code", SELECT).execute({ hash });
  return row && { ...row.code, ...grantStatus(row.code, row), user: userOf(row) };
}

type Codes = Db["tables"]["deviceCodes"];
const undecided = (codes: Codes, now: number) =>
  and(isNull(codes.approvedAt), isNull(codes.deniedAt), gt(codes.expiresAt, now));

export async function findPendingDeviceCode(
  db: ReadDb,
  userCode: string,
  now: number,
): Promise<DeviceCode | undefined> {
  const { deviceCodes: codes } = db.tables;
  const [row] = await db
    .select()
    .from(codes)
    .where(and(eq(codes.userCode, userCode), undecided(codes, now)));
  return row;
}

const POLL = (db: Db) => {
  const { deviceCodes: codes } = db.tables;
  return db
    .update(codes)
    .set({ lastPolledAt: sql`${sql.placeholder("now")}` })
    .where(
      and(
        eq(codes.hash, sql.placeholder("hash")),
        or(
          isNull(codes.lastPolledAt),
          lte(sql`${codes.lastPolledAt} + ${codes.intervalSeconds}`, sql.placeholder("now")),
        ),
      ),
    )
    .returning({ hash: codes.hash });
};

/** RFC 8628 §3.5: an early poll lengthens the interval for all later ones. Of racing polls, one is on time. */
export async function pollDeviceCode(db: Db, hash: Hash, now: number, penaltySeconds: number): Promise<boolean> {
  const onTime = await prepared(db, "poll_device_code", POLL).execute({ hash, now });
  if (onTime.length === 1) return true;
  const { deviceCodes: codes } = db.tables;
  await db
    .update(codes)
    .set({ lastPolledAt: now, intervalSeconds: sql`${codes.intervalSeconds} + ${penaltySeconds}` })
    .where(eq(codes.hash, hash));
  return false;
}

type Decision = ({ approvedAt: number } & DeviceApproval) | { deniedAt: number };

/** One conditional statement: of a racing approval and denial, the first one stays. */
async function decide(db: Db, hash: Hash, decision: Decision, now: number): Promise<boolean> {
  const { deviceCodes: codes } = db.tables;
  const won = await db
    .update(codes)
    .set(decision)
    .where(and(eq(codes.hash, hash), undecided(codes, now)))
    .returning({ hash: codes.hash });
  return won.length === 1;
}

export function approveDeviceCode(db: Db, hash: Hash, by: DeviceApproval, now: number): Promise<boolean> {
  return decide(db, hash, { approvedAt: now, ...by }, now);
}

export function denyDeviceCode(db: Db, hash: Hash, now: number): Promise<boolean> {
  return decide(db, hash, { deniedAt: now }, now);
}

/** Spends an approved code, once. */
export async function redeemDeviceCode(db: Db, hash: Hash, now: number): Promise<boolean> {
  const { deviceCodes: codes } = db.tables;
  const won = await db
    .update(codes)
    .set({ redeemedAt: now })
    .where(
      and(
        eq(codes.hash, hash),
        isNotNull(codes.approvedAt),
        isNull(codes.deniedAt),
        isNull(codes.redeemedAt),
        gt(codes.expiresAt, now),
      ),
    )
    .returning({ hash: codes.hash });
  return won.length === 1;
}
