import { type Environment, type Hash, PREFIX, sha256 } from "@gatehouse/auth";
import { findApiToken, touchApiToken } from "@gatehouse/db/stores/accounts/api-tokens";
import type { OperationDeps } from "../deps.ts";
import { ABILITIES, type Actor } from "../permissions.ts";

/** A live API token, and the admin for whom it acts. */
export type LiveApiToken = {
  id: string;
  name: string;
  scopes: readonly string[];
  environments: readonly Environment[];
  clientId: string | null;
  firstPartyOrigins: readonly string[];
  maker: Actor & { id: string; email: string; name: string };
};

/** No such token · revoked or expired · its maker is disabled or no longer an admin. */
export type ApiTokenFailure = "api_token_unknown" | "api_token_ended" | "api_token_maker";

/** Recording every use would cost more than the information is worth. */
const TOUCH_SECONDS = 60;

const CREDENTIALS = /^bearer +(\S+)$/i;

/** The API token in an `Authorization` header; undefined for any other credential. */
export function apiTokenIn(header: string | null): string | undefined {
  const [, secret = ""] = CREDENTIALS.exec(header ?? "") ?? [];
  return secret.startsWith(PREFIX.apiToken) ? secret : undefined;
}

/** Checks an API token and records its use. Throws StoreUnavailable. CO-70. */
export async function authenticateApiToken(
  secret: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<{ token: LiveApiToken } | { failure: ApiTokenFailure }> {
  const hash: Hash = sha256(secret);
  const found = await findApiToken(db, hash);
  if (!found) return { failure: "api_token_unknown" };
  const { token, maker } = found;
  const at = now();
  if (token.endedAt !== null || token.expiresAt <= at) return { failure: "api_token_ended" };
  // Checked again although a demotion ends the tokens: a database that was changed by hand must not leave one alive.
  if (maker.disabledAt !== null || maker.deleteAfter !== null || !ABILITIES[maker.role].manageProduction)
    return { failure: "api_token_maker" };
  if (token.lastUsedAt === null || at - token.lastUsedAt >= TOUCH_SECONDS)
    await touchApiToken(db, { id: token.id, now: at, unlessSince: at - TOUCH_SECONDS + 1 });
  const { id, name, scopes, environments, clientId, firstPartyOrigins } = token;
  return { token: { id, name, scopes, environments, clientId, firstPartyOrigins, maker } };
}
