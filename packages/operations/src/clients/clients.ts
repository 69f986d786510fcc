import { isConfidential, mintId } from "@gatehouse/auth";
import {
  type ClientRow,
  deleteClient,
  findApplication,
  findClientRow,
  insertClient,
  listClientRows,
  listResources,
  updateClientRow,
} from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { type Actor, assertMayManage, assertMayTrust } from "../permissions.ts";
import { assertMayAttach, assertMayExtend } from "../resources/attached-resources.ts";
import { clientResourceProblems, namesResources } from "../resources/resource-rules.ts";
import { setUnregisteredEnabled } from "./client-blocks.ts";
import { type ClientDraft, type ClientSettingsDraft, clientProblems } from "./client-rules.ts";
import { ensureSecret, mintClientSecret } from "./client-secrets.ts";
import { type ClientView, getClient, managedClient } from "./client-view.ts";

type Part = Pick<OperationDeps, "handle" | "config" | "now" | "random">;

export type Registration = ClientDraft & {
  applicationId: string;
  /** Chosen by the operator instead of generated; only the command line allows that. */
  clientId?: string | undefined;
  secret?: string | undefined;
};

/**
 * Registers an application's client for one environment. Generates a confidential client's secret and returns it; it is not stored.
 * Throws `invalid` with every problem of the draft, `conflict` when the environment has a client or the id is taken, `forbidden` by role.
 */
export async function registerClient(
  registration: Registration,
  actor: Actor,
  deps: Part,
): Promise<{ client: ClientView; secret: string | null }> {
  const { applicationId, clientId, secret: given, ...draft } = registration;
  assertMayManage(actor, draft.environment);
  assertMayTrust(actor, draft);
  await assertMayAttach(draft, actor, deps);
  const problems = await everyProblem(draft, deps);
  if (problems.length > 0) throw invalid(problems);
  if (!(await findApplication(deps.handle, applicationId))) throw new DomainError("not_found", "There is no such application.");
  if ((await listClientRows(deps.handle, applicationId)).some(({ origin }) => origin !== "registered"))
    throw new DomainError("conflict", "This application registered itself, together with its client. Create another application.");

  const id = clientId ?? mintId(deps.random);
  const now = deps.now();
  const options = draft.options ?? {};
  const row = await insertClient(deps.handle, { ...draft, options, id, applicationId, createdAt: now, updatedAt: now });
  if (!row) throw await whyTaken(id, draft.environment, deps);

  // Written second: a crash between the two writes leaves a client that nobody can authenticate as.
  const secret = holdsSecret(row) && given === undefined ? (await mintClientSecret(id, deps)).secret : null;
  if (given !== undefined) await ensureSecret(id, given, deps);
  return { client: await getClient(id, deps), secret };
}

/** True for a client that authenticates with a secret; others are public, or use private_key_jwt. */
export function holdsSecret({ type, options }: Pick<ClientRow, "type" | "options">): boolean {
  return isConfidential({ type }) && options.authentication !== "private_key_jwt";
}

async function everyProblem(draft: ClientDraft, { handle, config }: Pick<Part, "handle" | "config">): Promise<Problem[]> {
  const registry = namesResources(draft, config) ? clientResourceProblems(draft, await listResources(handle), config) : [];
  return [...clientProblems(draft, config), ...registry];
}

async function whyTaken(id: string, environment: string, { handle }: Pick<OperationDeps, "handle">): Promise<DomainError> {
  const sameId = await findClientRow(handle, id);
  const path = sameId ? "clientId" : "environment";
  const message = sameId ? `The client id ${id} is taken.` : `This application already has a client for ${environment}. Change that one.`;
  return new DomainError("conflict", message, [{ path, message }]);
}

/** Replaces the settings that may change: all but type and environment. Applies from the next request on. */
export async function updateClient(clientId: string, asked: ClientSettingsDraft, actor: Actor, deps: Part): Promise<ClientView> {
  const client = await managedClient(clientId, actor, deps.handle);
  const settings = { ...asked, options: asked.options ?? client.options };
  assertMayTrust(actor, settings);
  await assertMayAttach(settings, actor, deps);
  const problems = await everyProblem({ ...settings, type: client.type, environment: client.environment }, deps);
  if (problems.length > 0) throw invalid(problems);
  await updateClientRow(deps.handle, clientId, { ...settings, updatedAt: deps.now() });
  return getClient(clientId, deps);
}

/**
 * Disables or enables a client. While it is disabled it cannot authenticate, and its tokens are not valid. A client that no admin
 * registered is blocked as well, so that it stays disabled when it registers again.
 */
export async function setClientEnabled(
  { clientId, enabled }: { clientId: string; enabled: boolean },
  actor: Actor,
  deps: Part,
): Promise<ClientView> {
  const client = await managedClient(clientId, actor, deps.handle);
  if (enabled) await assertMayExtend(client, actor, deps);
  if (client.origin !== "registered") await setUnregisteredEnabled(client, enabled, deps);
  else if ((client.disabledAt === null) !== enabled) {
    const now = deps.now();
    await updateClientRow(deps.handle, clientId, { disabledAt: enabled ? null : now, updatedAt: now });
  }
  return getClient(clientId, deps);
}

/** Deletes the client. Its tokens are no longer valid when this returns. */
export async function removeClient(clientId: string, actor: Actor, { handle }: Pick<OperationDeps, "handle">): Promise<void> {
  await managedClient(clientId, actor, handle);
  await deleteClient(handle, clientId);
}
