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
import type { ApiDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Actor } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached-resources.ts";
import { isLiveSecret, managedClient } from "./client-view.ts";

type Part = Pick<ApiDeps, "handle" | "now" | "random">;
const MAX_LIVE = 2;

async function liveSecrets(clientId: string, { handle, now }: Pick<ApiDeps, "handle" | "now">): Promise<ClientSecretRow[]> {
  return (await listClientSecrets(handle, [clientId])).filter((secret) => isLiveSecret(secret, now()));
}

/** A client whose secrets the actor may change. */
async function confidentialClient(clientId: string, actor: Actor, { handle }: Pick<ApiDeps, "handle">): Promise<ClientRow> {
  const client = await managedClient(clientId, actor, handle);
  if (!isConfidential(client))
    throw new DomainError(
      "conflict",
      `A ${client.type} client is public: it cannot keep a secret and identifies itself by its client id alone.`,
    );
  if (client.options.authentication === "private_key_jwt")
    throw new DomainError("conflict", "This client authenticates with its own keys (private_key_jwt) and has no secret.");
  return client;
}

/** Makes a secret for a confidential client. The clear text is in the answer and nowhere else. */
export async function mintClientSecret(clientId: string, deps: Part): Promise<{ secret: string; secretId: string }> {
  const { secret, hash } = mintSecret("clientSecret", deps.random);
  const secretId = mintId(deps.random);
  await insertClientSecret(deps.handle, { id: secretId, clientId, hash, hint: secret.slice(-4), createdAt: deps.now() });
  return { secret, secretId };
}

/**
 * Adds a second secret, so that a client can be switched over without downtime. `expiresInSeconds` gives the older one an end.
 * Throws `conflict` when two are live already, or the client is public.
 */
export async function addSecret(
  { clientId, expiresInSeconds }: { clientId: string; expiresInSeconds?: number | undefined },
  actor: Actor,
  deps: Part,
): Promise<{ secret: string; secretId: string }> {
  await assertMayExtend(await confidentialClient(clientId, actor, deps), actor, deps);
  const made = await mintClientSecret(clientId, deps);

  // Counted after the write, so that of two callers at once neither can slip in a third.
  const live = await liveSecrets(clientId, deps);
  if (live.length > MAX_LIVE) {
    await discardClientSecret(deps.handle, made.secretId);
    throw new DomainError("conflict", "Two secrets are live already. Retire the one that is no longer used, then add a new one.");
  }
  if (expiresInSeconds !== undefined) {
    const older = live.filter(({ id }) => id !== made.secretId);
    await Promise.all(older.map(({ id }) => expireClientSecret(deps.handle, id, deps.now() + expiresInSeconds)));
  }
  return made;
}

/** Ends a secret now. The last live one of an enabled client goes only with `confirmLast`, since the client stops working. */
export async function retireSecret(
  { clientId, secretId, confirmLast }: { clientId: string; secretId: string; confirmLast: boolean },
  actor: Actor,
  deps: Part,
): Promise<void> {
  const client = await confidentialClient(clientId, actor, deps);
  const live = await liveSecrets(clientId, deps);
  if (!live.some(({ id }) => id === secretId)) throw new DomainError("not_found", "There is no such live secret.");
  if (live.length === 1 && client.disabledAt === null && !confirmLast)
    throw new DomainError(
      "conflict",
      "This is the last live secret: without it the client stops working. Add a new one first, or confirm.",
    );
  await retireClientSecret(deps.handle, { clientId, secretId }, deps.now());
}

/** What {@link ensureSecret} would do: the declared secret is live · would be added · was retired or has expired · finds no room. */
export type SecretStanding = "live" | "absent" | "ended" | "no_room";

export async function secretStanding(
  clientId: string,
  secret: string,
  { handle, now }: Pick<ApiDeps, "handle" | "now">,
): Promise<SecretStanding> {
  const secrets = await listClientSecrets(handle, [clientId]);
  const same = secrets.filter(({ hash }) => hash === sha256(secret));
  if (same.some((one) => isLiveSecret(one, now()))) return "live";
  if (same.length > 0) return "ended";
  return secrets.filter((one) => isLiveSecret(one, now())).length >= MAX_LIVE ? "no_room" : "absent";
}

/** Makes a secret chosen elsewhere a live one; doing it twice, or twice at once, adds it once. True when it was added. */
export async function ensureSecret(clientId: string, secret: string, { handle, now }: Pick<ApiDeps, "handle" | "now">): Promise<boolean> {
  if ((await secretStanding(clientId, secret, { handle, now })) === "live") return false;
  return insertClientSecret(handle, chosenSecret(clientId, secret, now()));
}

/** Makes a secret chosen elsewhere the client's only live one, even if it was retired before; several processes may do it at once. */
export async function enforceSecret(clientId: string, secret: string, deps: Pick<ApiDeps, "handle" | "now">): Promise<void> {
  const row = chosenSecret(clientId, secret, deps.now());
  const live = await liveSecrets(clientId, deps);
  if (live.length !== 1 || live[0]?.id !== row.id) await keepOnlyClientSecret(deps.handle, row, deps.now());
}

/** Its id is made out of what it is, so that the primary key settles a race. */
function chosenSecret(clientId: string, secret: string, createdAt: number) {
  const hash = sha256(secret);
  const id = sha256(`${clientId} ${hash}`).slice(0, 22);
  return { id, clientId, hash, hint: secret.slice(-4), createdAt };
}
