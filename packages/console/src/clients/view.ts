import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type ManagedView, managedViews } from "../managed/managed-view.ts";
import { type Actor, assertMayChange } from "../permissions.ts";
import { type ClientRow, findClientRow } from "./queries.ts";
import { type ClientSecretRow, listClientSecrets } from "./secret-queries.ts";

/** A client as the console shows it, with its active secrets. */
export type ClientView = Omit<ClientRow, "id" | "disabledAt"> & {
  clientId: string;
  enabled: boolean;
  managed: ManagedView | null;
  secrets: Pick<ClientSecretRow, "id" | "hint" | "createdAt" | "expiresAt" | "lastUsedAt">[];
};

export function isLiveSecret({ revokedAt, expiresAt }: ClientSecretRow, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** Whether `secret` works until somebody retires it. */
const isLasting = (secret: ClientSecretRow, now: number) => secret.expiresAt === null && isLiveSecret(secret, now);

/**
 * What a client loses with a secret: its `only` active one, or the last `without_end`, so that it stops working when
 * the others end. Null if another one stays. CO-33.
 */
export type LastSecret = "only" | "without_end" | null;

/** `secrets`: all of the client. */
export function lastSecretOf(secretId: string, secrets: readonly ClientSecretRow[], now: number): LastSecret {
  const others = secrets.filter(({ id }) => id !== secretId);
  if (others.some((secret) => isLasting(secret, now))) return null;
  return others.some((secret) => isLiveSecret(secret, now)) ? "without_end" : "only";
}

export async function viewClients(rows: ClientRow[], db: OperationDeps["db"], now: number): Promise<ClientView[]> {
  const ids = rows.map(({ id }) => id);
  const [secrets, managed] = await Promise.all([listClientSecrets(db, ids), managedViews("client", ids, { db })]);
  return rows.map(({ id: clientId, disabledAt, ...row }) => ({
    ...row,
    clientId,
    enabled: disabledAt === null,
    managed: managed.get(clientId) ?? null,
    secrets: secrets
      .filter((secret) => secret.clientId === clientId && isLiveSecret(secret, now))
      .map(({ id, hint, createdAt, expiresAt, lastUsedAt }) => ({ id, hint, createdAt, expiresAt, lastUsedAt })),
  }));
}

/** Throws `not_found`. */
async function existingClient(clientId: string, db: OperationDeps["db"]): Promise<ClientRow> {
  const row = await findClientRow(db, clientId);
  if (!row) throw new DomainError("not_found", "There is no such client.");
  return row;
}

export async function getClient(clientId: string, { db, now }: Pick<OperationDeps, "db" | "now">): Promise<ClientView> {
  const [view] = await viewClients([await existingClient(clientId, db)], db, now());
  if (!view) throw new DomainError("not_found", "There is no such client.");
  return view;
}

/** A client that the actor may change. Throws `not_found`, `forbidden`, or `conflict` for the console's client. */
export async function managedClient(clientId: string, actor: Actor, db: OperationDeps["db"]): Promise<ClientRow> {
  const client = await existingClient(clientId, db);
  assertMayChange(actor, client);
  return client;
}
