import { isConfidential, mintId, mintSecret, sha256 } from "@gatehouse/auth";
import {
  type ClientRow,
  type ClientSecretRow,
  discardClientSecret,
  expireClientSecret,
  insertClientSecret,
  keepOnlyClientSecret,
  listClientSecrets,
  retireClientSecret,
} from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Actor } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached-resources.ts";
import { isLiveSecret, managedClient } from "./client-view.ts";

type Part = Pick<OperationDeps, "handle" | "now" | "random">;
const MAX_LIVE = 2;

async function liveSecrets(clientId: string, { handle, now }: Pick<OperationDeps, "handle" | "now">): Promise<ClientSecretRow[]> {
  return (await listClientSecrets(handle, [clientId])).filter((secret) => isLiveSecret(secret, now()));
}

/** A client whose secrets the actor may change. */
async function confidentialClient(clientId: string, actor: Actor, { handle }: Pick<OperationDeps, "handle">): Promise<ClientRow> {
  const client = await managedClient(clientId, actor, handle);
  if (!isConfidential(client))
    throw new DomainError("conflict", `A ${client.type} client is public: it cannot keep a secret and has only its client id.`);
  if (client.options.authentication === "private_key_jwt")
    throw new DomainError("conflict", "This client authenticates with its own keys (private_key_jwt) and has no secret.");
  return client;
}

/** Generates a secret for a confidential client. Returns the plain text, which is not stored. */
export async function mintClientSecret(clientId: string, deps: Part): Promise<{ secret: string; secretId: string }> {
  const { secret, hash } = mintSecret("clientSecret", deps.random);
  const secretId = mintId(deps.random);
  await insertClientSecret(deps.handle, { id: secretId, clientId, hash, hint: secret.slice(-4), createdAt: deps.now() });
  return { secret, secretId };
}

/**
 * Adds a second secret, so that a client can switch to it without downtime. `expiresInSeconds` sets when the older one expires.
 * Throws `conflict` when the client already has two active secrets, or is public.
 */
export async function addSecret(
  { clientId, expiresInSeconds }: { clientId: string; expiresInSeconds?: number | undefined },
  actor: Actor,
  deps: Part,
): Promise<{ secret: string; secretId: string }> {
  await assertMayExtend(await confidentialClient(clientId, actor, deps), actor, deps);
  const made = await mintClientSecret(clientId, deps);

  // Counted after the write, so that two concurrent callers cannot add a third secret.
  const live = await liveSecrets(clientId, deps);
  if (live.length > MAX_LIVE) {
    await discardClientSecret(deps.handle, made.secretId);
    throw new DomainError(
      "conflict",
      "This client already has two active secrets. Retire the one that is no longer used, then add a new one.",
    );
  }
  if (expiresInSeconds !== undefined) {
    const older = live.filter(({ id }) => id !== made.secretId);
    await Promise.all(older.map(({ id }) => expireClientSecret(deps.handle, id, deps.now() + expiresInSeconds)));
  }
  return made;
}

/** Retires a secret now. Retiring the last active one of an enabled client requires `confirmLast`, because the client stops working. */
export async function retireSecret(
  { clientId, secretId, confirmLast }: { clientId: string; secretId: string; confirmLast: boolean },
  actor: Actor,
  deps: Part,
): Promise<void> {
  const client = await confidentialClient(clientId, actor, deps);
  const live = await liveSecrets(clientId, deps);
  if (!live.some(({ id }) => id === secretId)) throw new DomainError("not_found", "There is no such active secret.");
  if (live.length === 1 && client.disabledAt === null && !confirmLast)
    throw new DomainError(
      "conflict",
      "This is the client's last active secret. Without it the client stops working. Add a new one first, or confirm.",
    );
  await retireClientSecret(deps.handle, { clientId, secretId }, deps.now());
}

/** The state of a declared secret: active · not there yet · retired or expired · not there, and two others are active. */
export type SecretStanding = "live" | "absent" | "ended" | "no_room";

export async function secretStanding(
  clientId: string,
  secret: string,
  { handle, now }: Pick<OperationDeps, "handle" | "now">,
): Promise<SecretStanding> {
  const secrets = await listClientSecrets(handle, [clientId]);
  const same = secrets.filter(({ hash }) => hash === sha256(secret));
  if (same.some((one) => isLiveSecret(one, now()))) return "live";
  if (same.length > 0) return "ended";
  return secrets.filter((one) => isLiveSecret(one, now())).length >= MAX_LIVE ? "no_room" : "absent";
}

/** Adds a given secret unless it is active already; concurrent calls add it once. Returns whether it was added. */
export async function ensureSecret(
  clientId: string,
  secret: string,
  { handle, now }: Pick<OperationDeps, "handle" | "now">,
): Promise<boolean> {
  if ((await secretStanding(clientId, secret, { handle, now })) === "live") return false;
  return insertClientSecret(handle, chosenSecret(clientId, secret, now()));
}

/** Makes a given secret the client's only active one, even if it was retired before. Safe when several processes do it at once. */
export async function enforceSecret(clientId: string, secret: string, deps: Pick<OperationDeps, "handle" | "now">): Promise<void> {
  const row = chosenSecret(clientId, secret, deps.now());
  const live = await liveSecrets(clientId, deps);
  if (live.length !== 1 || live[0]?.id !== row.id) await keepOnlyClientSecret(deps.handle, row, deps.now());
}

/** The id is derived from the secret, so that concurrent inserts collide on the primary key. */
function chosenSecret(clientId: string, secret: string, createdAt: number) {
  const hash = sha256(secret);
  const id = sha256(`${clientId} ${hash}`).slice(0, 22);
  return { id, clientId, hash, hint: secret.slice(-4), createdAt };
}
