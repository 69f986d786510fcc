import type { DeviceApproval, DeviceCode, DeviceCodeStore, GrantStatus, Hash, TokenUser } from "@gatehouse/auth";
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Handle, ReadHandle } from "../../query/handle.ts";
import { prepared } from "../../query/prepared.ts";
import { grantStatus, grantStatusColumns, userColumns, userOf } from "./grant-status.ts";

/** False if the user code is taken, by a live code or by a dead one that was not swept yet. */
export async function saveDeviceCode(
  { db, tables: { deviceCodes } }: Handle,
  code: Parameters<DeviceCodeStore["saveDeviceCode"]>[0],
): Promise<boolean> {
  const saved = await db
    .insert(deviceCodes)
    .values(code)
    .onConflictDoNothing({ target: deviceCodes.userCode })
    .returning({ hash: deviceCodes.hash });
  return saved.length === 1;
}

const SELECT = ({ db, tables }: Handle) => {
  const { deviceCodes: codes, grants, clients, users } = tables;
  return db
    .select({ code: codes, ...userColumns(tables), ...grantStatusColumns(tables) })
    .from(codes)
    .leftJoin(grants, eq(grants.id, codes.grantId))
    .leftJoin(clients, eq(clients.id, codes.clientId))
    .leftJoin(users, eq(users.id, codes.userId))
    .where(eq(codes.hash, sql.placeholder("hash")));
};

export async function findDeviceCode(handle: Handle, hash: Hash): Promise<(DeviceCode & GrantStatus & { user: TokenUser }) | undefined> {
  const [row] = await prepared(handle, "find_device_code", SELECT).execute({ hash });
  return row && { ...row.code, ...grantStatus(row.code, row), user: userOf(row) };
}

type Codes = Handle["tables"]["deviceCodes"];
const undecided = (codes: Codes, now: number) => and(isNull(codes.approvedAt), isNull(codes.deniedAt), gt(codes.expiresAt, now));

export async function findPendingDeviceCode(
  { db, tables: { deviceCodes: codes } }: ReadHandle,
  userCode: string,
  now: number,
): Promise<DeviceCode | undefined> {
  const [row] = await db
    .select()
    .from(codes)
    .where(and(eq(codes.userCode, userCode), undecided(codes, now)));
  return row;
}

const POLL = ({ db, tables: { deviceCodes: codes } }: Handle) =>
  db
    .update(codes)
    .set({ lastPolledAt: sql`${sql.placeholder("now")}` })
    .where(
      and(
        eq(codes.hash, sql.placeholder("hash")),
        or(isNull(codes.lastPolledAt), lte(sql`${codes.lastPolledAt} + ${codes.intervalSeconds}`, sql.placeholder("now"))),
      ),
    )
    .returning({ hash: codes.hash });

/** RFC 8628 §3.5: an early poll lengthens the interval for all later ones. Of racing polls, one is on time. */
export async function pollDeviceCode(handle: Handle, hash: Hash, now: number, penaltySeconds: number): Promise<boolean> {
  const onTime = await prepared(handle, "poll_device_code", POLL).execute({ hash, now });
  if (onTime.length === 1) return true;
  const { deviceCodes: codes } = handle.tables;
  await handle.db
    .update(codes)
    .set({ lastPolledAt: now, intervalSeconds: sql`${codes.intervalSeconds} + ${penaltySeconds}` })
    .where(eq(codes.hash, hash));
  return false;
}

type Decision = ({ approvedAt: number } & DeviceApproval) | { deniedAt: number };

/** One conditional statement: of a racing approval and denial, the first one stays. */
async function decide({ db, tables: { deviceCodes: codes } }: Handle, hash: Hash, decision: Decision, now: number): Promise<boolean> {
  const won = await db
    .update(codes)
    .set(decision)
    .where(and(eq(codes.hash, hash), undecided(codes, now)))
    .returning({ hash: codes.hash });
  return won.length === 1;
}

export function approveDeviceCode(handle: Handle, hash: Hash, by: DeviceApproval, now: number): Promise<boolean> {
  return decide(handle, hash, { approvedAt: now, ...by }, now);
}

export function denyDeviceCode(handle: Handle, hash: Hash, now: number): Promise<boolean> {
  return decide(handle, hash, { deniedAt: now }, now);
}

/** Spends an approved code, once. */
export async function redeemDeviceCode({ db, tables: { deviceCodes: codes } }: Handle, hash: Hash, now: number): Promise<boolean> {
  const won = await db
    .update(codes)
    .set({ redeemedAt: now })
    .where(
      and(eq(codes.hash, hash), isNotNull(codes.approvedAt), isNull(codes.deniedAt), isNull(codes.redeemedAt), gt(codes.expiresAt, now)),
    )
    .returning({ hash: codes.hash });
  return won.length === 1;
}
