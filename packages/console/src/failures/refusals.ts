import {
  actorOf,
  compareRedirectUris,
  ERRORS,
  normaliseErrorId,
  type RefusalActor,
  type UriComparison,
} from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { splitNamedClient } from "../clients/named-client.ts";
import { type ClientRow, findClientRow, listClientRows } from "../clients/queries.ts";
import { listClientSecrets } from "../clients/secret-queries.ts";
import { addressFor } from "../deliveries/detail/rights.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { RefusalFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import { type Actor, mayManage } from "../permissions.ts";
import { canTry } from "../try/run.ts";
import { type Fact, factsOf } from "./facts.ts";
import { type Fix, fixOf } from "./fix.ts";
import { findFailureGroup } from "./group-queries.ts";
import { groupView } from "./groups.ts";
import { findRefusal, listRefusalRows, type RefusalRow } from "./queries.ts";

/** An entry of the failure ledger, with the meaning of its cause and how to fix it. */
export type RefusalView = ReturnType<typeof viewOf>;

function viewOf(refusal: RefusalRow, actor: Actor) {
  const { client, rest } = splitNamedClient(refusal);
  const { address, ...row } = rest;
  const { when: explanation, howToFix } = ERRORS[row.cause];
  const fixedBy: RefusalActor = actorOf(row.cause);
  return {
    ...row,
    explanation,
    actor: fixedBy,
    howToFix,
    address: addressFor(actor, address),
    client,
  };
}

/** A page of the failure ledger, newest first. Only admins see whole addresses, and search by them. CO-02, CO-46. */
export async function listRefusals(
  { cursor, limit, address, ...filter }: ListInput<RefusalFilter>,
  actor: Actor,
  { reads, lists = reads, now }: Pick<OperationDeps, "lists" | "reads" | "now">,
) {
  const found = await listRefusalRows(
    lists,
    { ...filter, address: actor.role === "admin" ? address : undefined, now: now() },
    positionOf(cursor),
    limit,
  );
  const { items, ...page } = toPage(found, limit, ({ at, errorId }) => ({ at, id: errorId }));
  return { items: items.map((row) => viewOf(row, actor)), ...page };
}

/** The sent redirect URI beside those that are registered now. */
export type UriEvidence = { sent: string; registered: string[]; comparison: UriComparison };

/**
 * The entry with this error id, in any spelling that a user may type, with its evidence and what can be done about it.
 * Throws `not_found`. CO-47.
 */
export async function getRefusal(errorId: string, actor: Actor, deps: Pick<OperationDeps, "db" | "now" | "config">) {
  const { db } = deps;
  const row = (await findRefusal(db, normaliseErrorId(errorId))) ?? (await findRefusal(db, errorId));
  if (!row) throw new DomainError("not_found", `The failure ledger has no entry ${normaliseErrorId(errorId)}. ${KEPT}`);
  const client = row.clientId === null ? undefined : await findClientRow(db, row.clientId);
  const group = row.groupKey === null ? undefined : await findFailureGroup(db, row.groupKey);
  const uri = client ? await uriEvidence(row, client, deps) : null;
  const fix = client && mayManage(actor, client.environment) ? fixOf(row, client, uri?.comparison ?? null) : null;
  const facts = [...factsOf(row.detail, { withSent: uri === null }), ...(await clientFacts(row, client, deps))];
  return {
    ...viewOf(row, actor),
    sentence: sentenceOf(row, uri),
    facts,
    uri,
    fix: fix as Fix | null,
    canTry: client !== undefined && (await canTry(client, actor, deps)),
    group: group ? groupView(group, deps.now()) : null,
  };
}

const KEPT = "It keeps the newest 50 of each kind of failure, for 90 days.";

async function uriEvidence(
  { cause, detail: { sent } }: RefusalRow,
  client: ClientRow,
  { db }: Pick<OperationDeps, "db">,
): Promise<UriEvidence | null> {
  if (cause !== "redirect_uri_unregistered" || typeof sent !== "string") return null;
  const rows = await listClientRows(db, client.applicationId);
  const others = rows.filter(({ id, name }) => id !== client.id && name === client.name);
  return { sent, registered: client.redirectUris, comparison: compareRedirectUris(sent, client, others) };
}

/** The cause in one sentence, with what differs. */
function sentenceOf({ cause }: RefusalRow, uri: UriEvidence | null): string {
  const { when } = ERRORS[cause];
  const [difference] = uri?.comparison.differences ?? [];
  return difference ? `${when.replace(/\.$/, "")}: ${difference.text}.` : when;
}

async function clientFacts(
  { cause, detail }: RefusalRow,
  client: ClientRow | undefined,
  { db }: Pick<OperationDeps, "db">,
): Promise<Fact[]> {
  if (!client) return [];
  if (cause.startsWith("scope_"))
    return [{ label: "The client may request", value: client.scopes.join(" ") || "no scope" }];
  if (cause === "client_grant_not_allowed")
    return [{ label: "The client may use", value: client.grantTypes.join(", ") }];
  if (typeof detail["secretId"] !== "string") return [];
  const secret = (await listClientSecrets(db, [client.id])).find(({ id }) => id === detail["secretId"]);
  return secret ? [{ label: "Secret", value: `…${secret.hint}` }] : [];
}
