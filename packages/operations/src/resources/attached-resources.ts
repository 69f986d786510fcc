import type { Attacher, ClientOptions } from "@gatehouse/auth";
import { listResources } from "@gatehouse/db";
import type { ApiDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Actor } from "../permissions.ts";

type Holder = { options?: ClientOptions | undefined };
type Part = Pick<ApiDeps, "handle">;

/**
 * Throws `forbidden` when these settings let a client ask for tokens of an API that the actor may not attach. It does not matter
 * whether the client has the API already: a new redirect URI, key or grant is another way to its tokens. An id that is not
 * registered is left to `clientResourceProblems`.
 */
export async function assertMayAttach(settings: Holder, actor: Actor, deps: Part): Promise<void> {
  await refuseReserved(settings, actor, deps, "developers");
}

/**
 * Throws `forbidden` unless the actor may give this client another way to its tokens, like a secret. Acts that only take away
 * (disable, retire a secret, remove) need no such right. An id that is not registered counts as reserved: it may be again.
 */
export async function assertMayExtend(client: Holder, actor: Actor, deps: Part): Promise<void> {
  await refuseReserved(client, actor, deps, "admins");
}

async function refuseReserved({ options }: Holder, actor: Actor, { handle }: Part, unregistered: Attacher): Promise<void> {
  const held = options?.resources ?? [];
  if (actor.role === "admin" || held.length === 0) return;
  const attachers = new Map((await listResources(handle)).map(({ id, attachedBy }) => [id, attachedBy]));
  const reserved = held.find((id) => (attachers.get(id) ?? unregistered) === "admins");
  if (reserved === undefined) return;
  throw new DomainError(
    "forbidden",
    `Only an admin registers or changes a client that may ask for tokens of ${reserved}. Ask an admin, or remove the API from the client's resources.`,
    [{ path: "options.resources", message: `only an admin attaches ${reserved}` }],
  );
}
