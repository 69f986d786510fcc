import { type Hash, mintSecret } from "@gatehouse/auth";
import { deleteInitialAccessToken, insertInitialAccessToken, listInitialAccessTokens } from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";

export type RegistrationTokenView = { id: string; name: string; remaining: number | null; expiresAt: number | null; createdAt: number };

/** Creates a token that allows its holder to register clients, RFC 7591 §3. Returns the plain text, which is not stored. */
export async function createRegistrationToken(
  { name, uses, expiresInSeconds }: { name: string; uses: number | null; expiresInSeconds: number | null },
  { handle, now, random }: Pick<OperationDeps, "handle" | "now" | "random">,
): Promise<{ token: string; view: RegistrationTokenView }> {
  const { secret, hash } = mintSecret("initialAccessToken", random);
  const createdAt = now();
  const row = { name, remaining: uses, expiresAt: expiresInSeconds === null ? null : createdAt + expiresInSeconds, createdAt };
  await insertInitialAccessToken(handle, { hash, ...row });
  return { token: secret, view: { id: hash, ...row } };
}

/** Newest first, including used and expired ones. */
export async function listRegistrationTokens({ handle }: Pick<OperationDeps, "handle">): Promise<RegistrationTokenView[]> {
  return (await listInitialAccessTokens(handle)).map(({ hash, ...row }) => ({ id: hash, ...row }));
}

/** Revokes the token; clients that were registered with it stay. Throws `not_found`. */
export async function revokeRegistrationToken(id: string, { handle }: Pick<OperationDeps, "handle">): Promise<void> {
  if (!(await deleteInitialAccessToken(handle, id as Hash))) throw new DomainError("not_found", "There is no such registration token.");
}
