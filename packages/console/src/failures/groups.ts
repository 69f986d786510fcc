import { actorOf, ERRORS } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { auditWrite } from "../audit/entry.ts";
import { splitNamedClient } from "../clients/named-client.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { FailureGroupFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import { type Author, assertMayManage } from "../permissions.ts";
import {
  type FailureGroupRow,
  failureHours,
  findFailureGroup,
  groupStateUpdate,
  listFailureGroups,
  listRegressedGroups,
} from "./group-queries.ts";

const HOUR = 3_600;
const DAY = 86_400;
/** Bars of a group's trend. */
const TREND_DAYS = 14;
const MAX_MUTE_SECONDS = 90 * DAY;

/** `regressed`: it returned after somebody resolved it. */
export type FailureState = "open" | "regressed" | "muted" | "resolved";

export type FailureGroupView = ReturnType<typeof groupView>;

/** A group with the meaning of its cause. `now` in Unix seconds. */
export function groupView(row: FailureGroupRow, now: number) {
  const { client, rest: group } = splitNamedClient(row);
  return {
    ...group,
    explanation: ERRORS[group.cause].when,
    howToFix: ERRORS[group.cause].howToFix,
    actor: actorOf(group.cause),
    state: stateOf(group, now),
    client,
  };
}

function stateOf(
  { mutedUntil, resolvedAt, regressedAt }: Pick<FailureGroupRow, "mutedUntil" | "resolvedAt" | "regressedAt">,
  now: number,
): FailureState {
  if (resolvedAt !== null) return "resolved";
  if (mutedUntil !== null && mutedUntil > now) return "muted";
  return regressedAt === null ? "open" : "regressed";
}

/**
 * A page of groups, those with the last refusal first; the first page begins with those that regressed. `trend`:
 * refusals of the last 14 days (UTC), oldest first. CO-46.
 */
export async function listFailures(
  { cursor, limit, ...filter }: ListInput<FailureGroupFilter>,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
) {
  const wanted = { ...filter, now: now() };
  const regressed = cursor ? [] : await listRegressedGroups(reads, wanted);
  const found = await listFailureGroups(reads, wanted, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ lastAt, key }) => ({ at: lastAt, id: key }));
  const rows = [...regressed, ...items];
  const trends = await trendsOf(rows, { reads, now });
  return { items: rows.map((row) => ({ ...groupView(row, wanted.now), trend: trends(row.key) })), ...page };
}

/** One group, with its refusals per hour of the last 14 days. Throws `not_found`. */
export async function getFailureGroup(key: string, { reads, now }: Pick<OperationDeps, "reads" | "now">) {
  const row = await findFailureGroup(reads, key);
  if (!row) throw missing();
  const trends = await trendsOf([row], { reads, now });
  return { ...groupView(row, now()), trend: trends(key) };
}

async function trendsOf(
  rows: readonly FailureGroupRow[],
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<(key: string) => number[]> {
  const today = now() - (now() % DAY);
  const first = today - (TREND_DAYS - 1) * DAY;
  const hours = await failureHours(
    reads,
    rows.map(({ key }) => key),
    first - (first % HOUR),
  );
  return (key) => {
    const days = new Array<number>(TREND_DAYS).fill(0);
    for (const { groupKey, at, count } of hours) {
      const day = Math.floor((at - first) / DAY);
      if (groupKey === key && days[day] !== undefined) days[day] += count;
    }
    return days;
  };
}

/** What a person decides about a group. `until` in Unix seconds. */
export type FailureDecision = { kind: "open" } | { kind: "resolved" } | { kind: "muted"; until: number };

/**
 * Opens, mutes or resolves a group, with an audit row. A resolved group that returns is open again, and marked as
 * regressed. Those who may manage the client's environment decide; groups without a client are for everybody who may
 * manage development. Throws `not_found`, `forbidden`, and `invalid` for a mute that ends in the past or after 90 days.
 */
export async function decideFailure(
  { key, decision }: { key: string; decision: FailureDecision },
  actor: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<FailureGroupView> {
  const row = await findFailureGroup(deps.db, key);
  if (!row) throw missing();
  // A removed client may have been one of production.
  assertMayManage(actor, row.environment ?? (row.clientId === null ? "development" : "production"));
  const now = deps.now();
  if (decision.kind === "muted" && (decision.until <= now || decision.until > now + MAX_MUTE_SECONDS))
    throw invalid([{ path: "decision.until", message: "mute for at least a second and at most 90 days" }]);

  const state = {
    mutedUntil: decision.kind === "muted" ? decision.until : null,
    resolvedAt: decision.kind === "resolved" ? now : null,
  };
  const detail = { cause: row.cause, from: stateOf(row, now), to: decision.kind };
  const entry = {
    action: `failure.${VERBS[decision.kind]}` as const,
    object: key,
    objectName: row.cause,
    environment: row.environment,
    detail,
  };
  const changed = await deps.db.guarded(groupStateUpdate(deps.db, key, state), [auditWrite(actor, entry, deps)]);
  if (!changed) throw missing();
  return groupView({ ...row, ...state, regressedAt: null }, now);
}

const VERBS = { open: "reopen", muted: "mute", resolved: "resolve" } as const;

const missing = () =>
  new DomainError("not_found", "There is no such group of failures. Groups without a refusal for 90 days are deleted.");
