import { blockKeysOf, documentHostname, redirectHost, refetchDocument } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { findBlocks } from "@gatehouse/db/stores/auth/client-blocks";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { listRefusalRows } from "../failures/queries.ts";
import type { ListInput } from "../lists/filter.ts";
import type { SelfRegisteredFilter, SelfRegisteredState } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import type { Author } from "../permissions.ts";
import {
  approveClient,
  findSelfRegistered,
  groupSelfRegistered,
  listIdleClients,
  listSelfRegistered,
  MOST_USERS,
  pruneClient,
  type SelfRegisteredRow,
} from "./queries.ts";

type Reads = Pick<OperationDeps, "reads">;
const DAY = 86_400;
/** How many clients one call prunes. */
const PRUNED_AT_ONCE = 500;
const SHOWN_IDLE = 20;

/** A self-registered client as the console shows it. Its name, URIs and ids are a stranger's text. CO-95. */
function viewOf({ options: _, disabledAt, users, redirectUris, ...row }: SelfRegisteredRow) {
  return {
    ...row,
    state: stateOf({ disabledAt, ...row }),
    redirectUris,
    redirectHosts: [...new Set(redirectUris.map(redirectHost))].slice(0, 20),
    users: Math.min(users, MOST_USERS),
    moreUsers: users > MOST_USERS,
  };
}

function stateOf({
  disabledAt,
  origin,
  confirmedAt,
}: Pick<SelfRegisteredRow, "disabledAt" | "origin" | "confirmedAt">): SelfRegisteredState {
  if (disabledAt !== null) return "blocked";
  return origin === "dynamic" && confirmedAt === null ? "waiting" : "active";
}

/** A page of the clients that no admin registered, newest first. CO-61. */
export async function listSelfRegisteredClients(
  { cursor, limit, ...filter }: ListInput<SelfRegisteredFilter>,
  { reads }: Reads,
) {
  const found = await listSelfRegistered(reads, filter, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ createdAt, applicationId }) => ({
    at: createdAt,
    id: applicationId,
  }));
  return { ...page, items: items.map(viewOf) };
}

/** The newest of them, grouped by the host of their document, else by software id; at most 200 groups. CO-61. */
export function listSelfRegisteredGroups({ reads }: Reads) {
  return groupSelfRegistered(reads);
}

/** One of them, with the last error of fetching its document and the blocks that stop it. Throws `not_found`. */
export async function getSelfRegisteredClient(clientId: string, { reads, now }: Reads & Pick<OperationDeps, "now">) {
  const row = await findSelfRegistered(reads, clientId);
  if (!row) throw missing();
  const [fetchError, blocks] = await Promise.all([lastFetchError(row, { reads, now }), blocksOf(row, reads, now())]);
  return { ...viewOf(row), webPages: webPagesOf(row), fetchError, blocks };
}

/** The addresses that it names of itself, as it sent them. */
function webPagesOf({ options: { clientUri, logoUri, policyUri, tosUri } }: SelfRegisteredRow) {
  const named = [
    { kind: "website" as const, url: clientUri },
    { kind: "logo" as const, url: logoUri },
    { kind: "policy" as const, url: policyUri },
    { kind: "terms" as const, url: tosUri },
  ];
  return named.flatMap(({ kind, url }) => (url === undefined ? [] : [{ kind, url }]));
}

async function blocksOf({ clientId, softwareId }: SelfRegisteredRow, reads: Reads["reads"], now: number) {
  const options = softwareId === null ? {} : { softwareId };
  const blocks = await findBlocks(reads, blockKeysOf({ clientId, options }), now);
  return blocks.map(({ kind, value, expiresAt }) => ({ kind, value, expiresAt }));
}

/** From the failure ledger, unless the document was fetched since. */
async function lastFetchError(
  { clientId, origin, updatedAt }: SelfRegisteredRow,
  { reads, now }: Reads & Pick<OperationDeps, "now">,
) {
  if (origin !== "metadata_document") return null;
  const causes = ["client_document_unavailable", "client_document_invalid"] as const;
  const filter = { clientId, from: updatedAt, now: now() };
  const found = await Promise.all(causes.map((cause) => listRefusalRows(reads, { ...filter, cause }, undefined, 1)));
  const [last] = found.flatMap(({ rows }) => rows.slice(0, 1)).sort((one, other) => other.at - one.at);
  return last ? { at: last.at, message: last.message, errorId: last.errorId } : null;
}

/** `version`: of the client as the admin read it. */
export type ApprovalInput = { clientId: string } & ({ approved: true; version: number } | { approved: false });

/**
 * Approves a client, so that the consent page no longer warns of it, or takes that back. The approval is of the client
 * as it was read, and ends when anything that the client says about itself changes. Throws `not_found`, and `conflict`
 * if that happened since it was read.
 */
export async function approveSelfRegistered(
  { clientId, ...given }: ApprovalInput,
  author: Author,
  deps: AuditDeps & Reads,
): Promise<void> {
  const known = await findSelfRegistered(deps.reads, clientId);
  if (!known) throw missing();
  if (given.approved && known.version !== given.version) throw changedSince();
  if ((known.approvedAt !== null) === given.approved) return;
  const action = given.approved ? "self_registered.approve" : "self_registered.disapprove";
  const also = [
    auditWrite(author, { action, object: clientId, objectName: known.name, environment: "production" }, deps),
  ];
  const approval = given.approved ? { at: deps.now(), version: given.version } : null;
  if (await approveClient(deps.db, clientId, approval, also)) return;
  throw (await findSelfRegistered(deps.reads, clientId)) ? changedSince() : missing();
}

/** CO-45. */
function changedSince(): DomainError {
  return new DomainError(
    "conflict",
    "The client changed what it says about itself after you opened it. Read it again, then approve it.",
  );
}

/**
 * Fetches the client's metadata document now. Throws `not_found`, and `invalid` with what is wrong with the document.
 */
export async function fetchDocumentAgain(clientId: string, author: Author, deps: OperationDeps): Promise<void> {
  const known = await findSelfRegistered(deps.db, clientId);
  if (known?.origin !== "metadata_document") throw missing();
  if (known.disabledAt !== null) throw new DomainError("conflict", "The client is blocked. Lift the block first.");
  const entry = {
    action: "self_registered.fetch",
    object: clientId,
    objectName: known.name,
    environment: "production",
  } as const;
  // First: the request leaves the server, and may change the client
  await deps.db.transaction([auditWrite(author, entry, deps)]);
  const problem = await refetchDocument(clientId, deps);
  if (problem !== undefined) throw new DomainError("conflict", `${documentHostname(clientId)} answered: ${problem}`);
}

type Idle = { idleDays: number };
const cutoffOf = ({ idleDays }: Idle, { now }: Pick<OperationDeps, "now">) => now() - idleDays * DAY;

/** The clients that got no token for so many days: what pruning deletes. Counts at most 1,000. CO-61. */
export async function listIdleSelfRegistered(idle: Idle, deps: Reads & Pick<OperationDeps, "now">) {
  const found = await listIdleClients(deps.reads, cutoffOf(idle, deps), 1_001);
  const counted = found.slice(0, 1_000);
  return {
    clients: counted.length,
    more: found.length > 1_000,
    users: counted.reduce((sum, { users }) => sum + Math.min(users, MOST_USERS), 0),
    first: counted.slice(0, SHOWN_IDLE).map(viewOf),
  };
}

/** Deletes idle clients, at most 500 in a call, each with its audit row. One that gets a token meanwhile stays. */
export async function pruneSelfRegistered(
  idle: Idle,
  author: Author,
  deps: OperationDeps,
): Promise<{ deleted: number; more: boolean }> {
  const cutoff = cutoffOf(idle, deps);
  const found = await listIdleClients(deps.db, cutoff, PRUNED_AT_ONCE + 1);
  let deleted = 0;
  for (const { clientId, name } of found.slice(0, PRUNED_AT_ONCE)) {
    const entry = {
      action: "self_registered.prune",
      object: clientId,
      objectName: name,
      environment: "production",
      detail: idle,
    } as const;
    if (await pruneClient(deps.db, clientId, cutoff, [auditWrite(author, entry, deps)])) deleted += 1;
  }
  return { deleted, more: found.length > PRUNED_AT_ONCE };
}

function missing(): DomainError {
  return new DomainError(
    "not_found",
    "There is no such self-registered client. Unused clients are deleted automatically.",
  );
}
