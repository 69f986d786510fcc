import type { Attacher, ClientOptions } from "@gatehouse/auth";
import { listResources } from "@gatehouse/db/stores/auth/api-resources";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Actor } from "../permissions.ts";

type Holder = { options?: ClientOptions | undefined };
type Part = Pick<OperationDeps, "db">;

/**
 * Throws `forbidden` when these settings allow a client to request tokens of an API that the actor may not attach, even
 * if the client has the API already: a new redirect URI, key or grant is another way to get its tokens. Ids that are
 * not registered are left to `clientResourceProblems`.
 */
export async function assertMayAttach(settings: Holder, actor: Actor, deps: Part): Promise<void> {
  await refuseReserved(settings, actor, deps, "developers");
}

/**
 * Throws `forbidden` unless the actor may give this client another way to get tokens, such as a secret. Disabling or
 * deleting it, or retiring a secret, requires no such permission. An id that is not registered counts as reserved: it
 * may be registered again.
 */
export async function assertMayExtend(client: Holder, actor: Actor, deps: Part): Promise<void> {
  await refuseReserved(client, actor, deps, "admins");
}

async function refuseReserved({ options }: Holder, actor: Actor, { db }: Part, unregistered: Attacher): Promise<void> {
  const held = options?.resources ?? [];
  if (actor.role === "admin" || held.length === 0) return;
  const attachers = new Map((await listResources(db)).map(({ id, attachedBy }) => [id, attachedBy]));
  const reserved = held.find((id) => (attachers.get(id) ?? unregistered) === "admins");
  if (reserved === undefined) return;
  throw new DomainError(
    "forbidden",
    `Only admins can register or change a client with access to ${reserved}. Ask an admin, or remove the API from the client's resources.`,
    [{ path: "options.resources", message: `only admins can attach ${reserved}` }],
  );
}
