import { type Environment, mintSecret, mintTimeOrderedId, secretHint } from "@gatehouse/auth";
import {
  countLiveApiTokens,
  endApiToken,
  findListedApiToken,
  insertApiToken,
  type ListedApiToken,
  listApiTokenRows,
} from "@gatehouse/db/stores/accounts/api-tokens";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import { isBuiltInClient } from "../clients/built-in-clients.ts";
import { findClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { type Author, accessEnded, makerOf } from "../permissions.ts";
import { API_TOKEN_SCOPES, type ApiTokenScope } from "./scopes.ts";

/** Bounds the table, with the days after which ended tokens are deleted. */
const MOST_LIVE = 100;
const MOST_LISTED = 500;

export type ApiTokenDraft = {
  name: string;
  scopes: ApiTokenScope[];
  environments: Environment[];
  clientId: string | null;
  firstPartyOrigins: string[];
  expiresInSeconds: number;
};

/** `state` when the list was read. */
export type ApiTokenView = Omit<ListedApiToken, "endedAt"> & {
  state: "live" | "expired" | "revoked";
  endedAt: number | null;
};

/**
 * Every API token that is live or ended less than 90 days ago, newest first. The tokens themselves are stored nowhere.
 * CO-70.
 */
export async function listApiTokens({ db, now }: Pick<OperationDeps, "db" | "now">): Promise<ApiTokenView[]> {
  const at = now();
  return (await listApiTokenRows(db, MOST_LISTED)).map((row) => ({ ...row, state: stateOf(row, at) }));
}

function stateOf({ endedAt, expiresAt }: ListedApiToken, now: number): ApiTokenView["state"] {
  if (endedAt !== null) return "revoked";
  return expiresAt <= now ? "expired" : "live";
}

/**
 * Creates an API token that acts for `author`. Returns the plain text, which is not stored. Throws `invalid`, with
 * problems by field, and `forbidden` if the author's own access has ended meanwhile. The caller checks the sign-in,
 * which must be fresh. CO-70, CO-88, N49.
 */
export async function createApiToken(
  draft: ApiTokenDraft,
  author: Author,
  deps: AuditDeps,
): Promise<{ token: string; id: string }> {
  const environments = await environmentsOf(draft, deps);
  assertAppliesFiles(draft);
  if ((await countLiveApiTokens(deps.db, deps.now())) >= MOST_LIVE)
    throw new DomainError("conflict", `There are ${MOST_LIVE} live API tokens. Revoke one that isn’t used.`);
  const { secret, hash } = mintSecret("apiToken", deps.random);
  const { name, scopes, clientId, firstPartyOrigins } = draft;
  const createdAt = deps.now();
  const expiresAt = createdAt + draft.expiresInSeconds;
  const id = mintTimeOrderedId(deps);
  const limits = { scopes, environments, clientId, expiresAt };
  const detail = { ...limits, ...(firstPartyOrigins.length > 0 && { firstPartyOrigins }) };
  const row = { id, hash, hint: secretHint(secret), makerId: author.id, createdAt, endedAt: null, lastUsedAt: null };
  const entry = { action: "api_token.create" as const, object: id, objectName: name, detail };
  const by = { maker: makerOf(author), also: [auditWrite(author, entry, deps)] };
  if (!(await insertApiToken(deps.db, { ...row, name, ...limits, firstPartyOrigins }, by))) throw accessEnded();
  return { token: secret, id };
}

/** The environments of a new token: those of its one client if it is bound to one. */
async function environmentsOf(
  { scopes, environments, clientId }: ApiTokenDraft,
  { db }: AuditDeps,
): Promise<Environment[]> {
  if (clientId === null) {
    if (scopes.some((scope) => needsClient(scope)))
      throw invalid([{ path: "clientId", message: "required for previews:write" }]);
    return environments;
  }
  const client = await findClientRow(db, clientId);
  if (client?.origin !== "registered" || isBuiltInClient(clientId))
    throw invalid([{ path: "clientId", message: "must be the id of a client that an admin registered" }]);
  const wide = scopes.filter((scope) => !API_TOKEN_SCOPES[scope].ofClient);
  if (wide.length > 0) {
    const message = `a token for one client can’t have ${wide.join(", ")}`;
    throw invalid([{ path: "scopes", message }]);
  }
  return [client.environment];
}

/** First-party clients come from files alone. PK-22. */
function assertAppliesFiles({ scopes, firstPartyOrigins }: ApiTokenDraft): void {
  if (firstPartyOrigins.length === 0 || scopes.includes("config:apply")) return;
  throw invalid([{ path: "firstPartyOrigins", message: "needs the scope config:apply" }]);
}

const needsClient = (scope: ApiTokenScope) => "oneClient" in API_TOKEN_SCOPES[scope];

/** Ends a token at once. Throws `not_found` for one that is not live. CO-70. */
export async function revokeApiToken(id: string, author: Author, deps: AuditDeps): Promise<void> {
  const token = await findListedApiToken(deps.db, id);
  const entry = { action: "api_token.revoke" as const, object: id, objectName: token?.name };
  if (!token || !(await endApiToken(deps.db, id, deps.now(), [auditWrite(author, entry, deps)])))
    throw new DomainError(
      "not_found",
      "There is no such live API token. It may have expired, or somebody else revoked it.",
    );
}
