import { type Hash, mintSecret } from "@gatehouse/auth";
import {
  deleteInitialAccessToken,
  insertInitialAccessToken,
  listInitialAccessTokens,
} from "@gatehouse/db/stores/auth/dynamic-registrations";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";

export type RegistrationTokenView = {
  id: string;
  name: string;
  remaining: number | null;
  expiresAt: number | null;
  createdAt: number;
};

/**
 * Creates a token that allows its holder to register clients, RFC 7591 §3. Returns the plain text, which is not stored.
 */
export async function createRegistrationToken(
  { name, uses, expiresInSeconds }: { name: string; uses: number | null; expiresInSeconds: number | null },
  author: Author,
  deps: AuditDeps,
): Promise<{ token: string; view: RegistrationTokenView }> {
  const { secret, hash } = mintSecret("initialAccessToken", deps.random);
  const createdAt = deps.now();
  const row = {
    name,
    remaining: uses,
    expiresAt: expiresInSeconds === null ? null : createdAt + expiresInSeconds,
    createdAt,
  };
  const entry = {
    action: "registration_token.create" as const,
    object: hash,
    objectName: name,
    detail: { uses, expiresAt: row.expiresAt },
  };
  await insertInitialAccessToken(deps.db, { hash, ...row }, [auditWrite(author, entry, deps)]);
  return { token: secret, view: { id: hash, ...row } };
}

/** Newest first, including used and expired ones. */
export async function listRegistrationTokens({ db }: Pick<OperationDeps, "db">): Promise<RegistrationTokenView[]> {
  return (await listInitialAccessTokens(db)).map(({ hash, ...row }) => ({ id: hash, ...row }));
}

/** Revokes the token; clients that were registered with it stay. Throws `not_found`. */
export async function revokeRegistrationToken(id: string, author: Author, deps: AuditDeps): Promise<void> {
  const objectName = (await listInitialAccessTokens(deps.db)).find(({ hash }) => hash === id)?.name;
  const also = [auditWrite(author, { action: "registration_token.revoke", object: id, objectName }, deps)];
  if (!(await deleteInitialAccessToken(deps.db, id as Hash, also)))
    throw new DomainError("not_found", "There is no such registration token.");
}
