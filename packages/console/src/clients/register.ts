import { isDeepStrictEqual } from "node:util";
import { type ClientOptions, isConfidential, mintId } from "@gatehouse/auth";
import { listResources } from "@gatehouse/db/stores/auth/api-resources";
import { findApplication } from "../applications/queries.ts";
import { changedMeanwhile, fieldsOf } from "../audit/conflict.ts";
import { type AuditEntry, changedFields } from "../audit/entry.ts";
import { setUnregisteredEnabled } from "../client-blocks/client-blocks.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { type Author, assertFresh, assertMayManage, assertMayTrust } from "../permissions.ts";
import { usedClientIdProblem } from "../removed/removed-clients.ts";
import { assertMayAttach, assertMayExtend } from "../resources/attached.ts";
import { clientResourceProblems, namesResources } from "../resources/rules.ts";
import { clientWrite } from "./audit.ts";
import { isBuiltInClient } from "./built-in-clients.ts";
import { clientNameOf, clientNames, MAX_CLIENTS } from "./names.ts";
import { type ClientRow, findClientRow, insertClient, listClientRows, updateClientRow } from "./queries.ts";
import { type ClientDraft, type ClientSettingsDraft, clientProblems } from "./rules.ts";
import { ensureSecret, mintClientSecret } from "./secrets.ts";
import { type ClientView, getClient, managedClient } from "./view.ts";

type Part = Pick<OperationDeps, "db" | "config" | "now" | "random">;

export type Registration = ClientDraft & {
  applicationId: string;
  /** Of the client among those of its application; without it, the application's only client, or its first. */
  name?: string | undefined;
  /** Chosen by the operator instead of generated; only the command line allows that. */
  clientId?: string | undefined;
  secret?: string | undefined;
};

/**
 * Registers one of an application's clients for one environment. Generates a confidential client's secret and returns
 * it; it is not stored. Throws `invalid` with every problem of the draft, `conflict` when the client is registered
 * there or the id is taken, `forbidden` by role, and `stale_sign_in` for a production client with a secret or keys
 * (CO-88). `as`: what the audit log calls it.
 */
export async function registerClient(
  registration: Registration,
  author: Author,
  deps: Part,
  as: Pick<AuditEntry, "action" | "detail"> = { action: "client.create" },
): Promise<{ client: ClientView; secret: string | null }> {
  const { applicationId, name: asked, clientId, secret: given, ...draft } = registration;
  assertMayManage(author, draft.environment);
  assertMayTrust(author, draft);
  await assertMayAttach(draft, author, deps);
  const problems = await everyProblem(draft, deps);
  if (problems.length > 0) throw invalid(problems);
  if (draft.environment === "production" && isConfidential(draft)) assertFresh(author, deps.now());
  const application = await findApplication(deps.db, applicationId);
  if (!application) throw new DomainError("not_found", "There is no such application.");
  const others = await listClientRows(deps.db, applicationId);
  if (others.some(({ origin }) => origin !== "registered"))
    throw new DomainError(
      "conflict",
      "This application registered itself, together with its client. Create another application.",
    );
  // Its name would recommend the new client, on consent pages too.
  if (others.some(({ id }) => isBuiltInClient(id)) && !isBuiltInClient(clientId ?? ""))
    throw new DomainError(
      "conflict",
      `The application ${application.name} belongs to Gatehouse itself. Create another application.`,
    );
  const name = clientNameOf(asked, others);
  if (clientNames([...others, { name }]).length > MAX_CLIENTS)
    throw new DomainError(
      "conflict",
      `An application has at most ${MAX_CLIENTS} clients. Remove one, or create another application.`,
    );

  const used = clientId === undefined ? undefined : await usedClientIdProblem(clientId, deps);
  if (used !== undefined)
    throw new DomainError("conflict", `The client id ${clientId} ${used}.`, [{ path: "clientId", message: used }]);

  const id = clientId ?? mintId(deps.random);
  const now = deps.now();
  const options = draft.options ?? {};
  const named = { id, name, applicationName: application.name, environment: draft.environment };
  const detail = { ...as.detail, changes: changedFields({}, { ...draft, options, name }) };
  const also = [clientWrite(author, named, { ...as, detail }, deps)];
  const row = await insertClient(
    deps.db,
    { ...draft, options, id, applicationId, name, createdAt: now, updatedAt: now },
    also,
  );
  if (!row) throw await whyTaken({ id, name, environment: draft.environment }, deps);

  // Written second: a crash between the two writes leaves a client that nobody can authenticate as.
  const secret = holdsSecret(row) && given === undefined ? (await mintClientSecret(row, author, deps)).secret : null;
  if (given !== undefined) await ensureSecret(row, given, author, deps);
  return { client: await getClient(id, deps), secret };
}

/** True for a client that authenticates with a secret; others are public, or use private_key_jwt. */
export function holdsSecret({ type, options }: Pick<ClientRow, "type" | "options">): boolean {
  return isConfidential({ type }) && options.authentication !== "private_key_jwt";
}

/**
 * Throws `conflict` for a client that would keep these rights while its own registration, or its document, changes what
 * people rely on.
 */
function assertNoStranger({ origin }: ClientRow, { firstParty, resourceServer }: ClientSettingsDraft): void {
  if (origin === "registered" || !(firstParty || resourceServer)) return;
  const message =
    "This client registered itself and can change its redirect URIs and keys, so it can be neither first-party nor a resource server.";
  throw new DomainError("conflict", message, [{ path: firstParty ? "firstParty" : "resourceServer", message }]);
}

async function everyProblem(draft: ClientDraft, { db, config }: Pick<Part, "db" | "config">): Promise<Problem[]> {
  const registry = namesResources(draft, config) ? clientResourceProblems(draft, await listResources(db), config) : [];
  return [...clientProblems(draft, config), ...registry];
}

async function whyTaken(
  { id, name, environment }: { id: string; name: string; environment: string },
  { db }: Pick<OperationDeps, "db">,
): Promise<DomainError> {
  const sameId = await findClientRow(db, id);
  const path = sameId ? "clientId" : "environment";
  const message = sameId
    ? `The client id ${id} is taken.`
    : `The client ${name} is already registered for ${environment}. Change that registration.`;
  return new DomainError("conflict", message, [{ path, message }]);
}

/**
 * Replaces the settings that may change: all but type and environment (RU-11). Applies from the next request on. Throws
 * `conflict` if the client is no longer at `version`, and `stale_sign_in` for other keys in production. CO-45, CO-88.
 */
export async function updateClient(
  clientId: string,
  asked: ClientSettingsDraft,
  author: Author,
  deps: Part,
  { version, ...as }: Pick<AuditEntry, "action" | "detail"> & { version?: number | undefined } = {
    action: "client.update",
  },
): Promise<ClientView> {
  const client = await managedClient(clientId, author, deps.db);
  await assertUnlocked("client", clientId, author, deps);
  const settings = { ...asked, options: asked.options ?? client.options };
  assertMayTrust(author, settings);
  assertNoStranger(client, settings);
  await assertMayAttach(settings, author, deps);
  const problems = await everyProblem({ ...settings, type: client.type, environment: client.environment }, deps);
  if (problems.length > 0) throw invalid(problems);
  if (client.environment === "production" && changesKeys(client.options, settings.options))
    assertFresh(author, deps.now());
  const conflict = (now: ClientRow) =>
    changedMeanwhile({ object: clientId, theirs: fieldsOf(settings, now), version: now.version }, deps);
  if (version !== undefined && version !== client.version) throw await conflict(client);
  const changes = changedFields(client, settings);
  if (Object.keys(changes).length === 0) return getClient(clientId, deps);
  const also = [clientWrite(author, client, { ...as, detail: { ...as.detail, changes } }, deps)];
  if (!(await updateClientRow(deps.db, clientId, { ...settings, updatedAt: deps.now() }, { version, also })))
    throw await conflict(await managedClient(clientId, author, deps.db));
  return getClient(clientId, deps);
}

/** How a client proves who it is, besides its secrets: other keys are as good as another secret. CO-88. */
const KEY_OPTIONS = ["authentication", "jwks", "jwksUri"] as const satisfies (keyof ClientOptions)[];

function changesKeys(before: ClientOptions, after: ClientOptions): boolean {
  return KEY_OPTIONS.some((name) => !isDeepStrictEqual(before[name], after[name]));
}

/**
 * Disables or enables a client. While it is disabled it cannot authenticate, and its tokens are not valid. A client
 * that no admin registered is blocked as well, so that it stays disabled when it registers again.
 */
export async function setClientEnabled(
  { clientId, enabled }: { clientId: string; enabled: boolean },
  author: Author,
  deps: Part,
): Promise<ClientView> {
  const client = await managedClient(clientId, author, deps.db);
  await assertUnlocked("client", clientId, author, deps);
  if (enabled) await assertMayExtend(client, author, deps);
  if (client.origin !== "registered") await setUnregisteredEnabled(client, enabled, author, deps);
  else if ((client.disabledAt === null) !== enabled) {
    const now = deps.now();
    const also = [clientWrite(author, client, { action: enabled ? "client.enable" : "client.disable" }, deps)];
    await updateClientRow(deps.db, clientId, { disabledAt: enabled ? null : now, updatedAt: now }, { also });
  }
  return getClient(clientId, deps);
}
