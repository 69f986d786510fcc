import {
  type Client,
  DEVICE_CODE_GRANT,
  depsUnder,
  type GrantType,
  isConfidential,
  mintId,
  mintTimeOrderedId,
} from "@gatehouse/auth";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { endTestRun, findTestRun, insertTestRun, type TestRun } from "@gatehouse/db/stores/auth/test-runs";
import { clientWrite } from "../clients/audit.ts";
import type { ClientRow } from "../clients/queries.ts";
import { managedClient } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type Actor, type Author, assertFresh, assertMayChange } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached.ts";
import { isLiveRun, runExemption, TEST_RUN } from "./exemption.ts";
import { openRunTicket, type RunTicket, type TryKind } from "./run-ticket.ts";
import type { Session } from "./session.ts";

const KIND_GRANTS: Record<TryKind, GrantType> = {
  code: "authorization_code",
  device: DEVICE_CODE_GRANT,
  service: "client_credentials",
};

/** A live run with what its steps need. */
export type OpenRun = { run: TestRun; client: ClientRow; ticket: RunTicket };

/**
 * Starts a run: everybody who may add a secret to the client may try it, in production after a fresh sign-in. Ends the
 * operator's other runs of it. Throws `forbidden`, `stale_sign_in`, or `conflict` for a client that cannot be tried.
 * CO-39.
 */
export async function createRun(
  { clientId, kind, reveal }: { clientId: string; kind: TryKind; reveal: boolean },
  author: Author,
  deps: OperationDeps,
): Promise<{ run: TestRun; client: ClientRow }> {
  const client = await triableClient(clientId, author, deps);
  const { db, now, random, config } = deps;
  if (client.environment === "production") assertFresh(author, now());
  if (!client.grantTypes.includes(KIND_GRANTS[kind]))
    throw new DomainError("conflict", `This client is not registered for ${KIND_GRANTS[kind]}.`);
  if (config.consoleCallback === undefined)
    throw new DomainError("conflict", "This server has no console address, so nothing can be tried.");
  if (reveal && client.environment === "production")
    throw new DomainError("forbidden", "In production, codes and tokens are never shown whole.");
  const operator = await findUser(db, author.id);
  if (!operator) throw new DomainError("forbidden", "Only a signed-in user can try a client.");
  const run: TestRun = {
    id: mintTimeOrderedId(deps),
    clientId,
    operatorId: operator.id,
    grantId: mintId(random),
    expiresAt: now() + TEST_RUN.runSeconds,
  };
  const entry = { action: "test_run.start" as const, detail: { run: run.id, kind, reveal } };
  await insertTestRun(db, { ...run, createdAt: now(), accessEpoch: operator.accessEpoch }, [
    clientWrite(author, client, entry, deps),
  ]);
  return { run, client };
}

async function triableClient(clientId: string, author: Author, deps: OperationDeps): Promise<ClientRow> {
  const client = await managedClient(clientId, author, deps.db);
  await assertTriable(client, author, deps);
  return client;
}

/** Whether this person can start a run of the client as it is now. CO-47. */
export async function canTry(
  client: ClientRow,
  actor: Actor,
  deps: Pick<OperationDeps, "db" | "config">,
): Promise<boolean> {
  const hasKind = Object.values(KIND_GRANTS).some((grant) => client.grantTypes.includes(grant));
  if (!hasKind || deps.config.consoleCallback === undefined) return false;
  try {
    assertMayChange(actor, client);
    await assertTriable(client, actor, deps);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

async function assertTriable(client: ClientRow, actor: Actor, deps: Pick<OperationDeps, "db">): Promise<void> {
  if (client.origin !== "registered")
    throw new DomainError(
      "conflict",
      "This client registered itself. Only clients that an admin registered can be tried.",
    );
  await assertMayExtend(client, actor, deps);
  if (client.disabledAt !== null) throw new DomainError("conflict", "This client is off. Turn it on, then try it.");
}

/**
 * The live run of a ticket. Throws `conflict` when it has ended, and what {@link createRun} throws for its operator.
 */
export async function openRun(sealed: string, author: Author, deps: OperationDeps): Promise<OpenRun> {
  const ticket = openRunTicket(sealed, deps);
  const run = ticket && (await findTestRun(deps.db, ticket.runId));
  if (!ticket || !run || run.operatorId !== author.id) throw new DomainError("not_found", "There is no such run.");
  const client = await triableClient(run.clientId, author, deps);
  if (!isLiveRun(run, deps.now())) throw new DomainError("conflict", "This run has ended. Run again to start another.");
  const { id, clientId, operatorId, grantId, expiresAt } = run;
  return { ticket, client, run: { id, clientId, operatorId, grantId, expiresAt } };
}

/** Ends a run with everything that it issued. Does nothing if it has ended. CO-42. */
export async function endRun(
  { ticket: sealed }: { ticket: string },
  author: Author,
  deps: OperationDeps,
): Promise<void> {
  const ticket = openRunTicket(sealed, deps);
  const run = ticket && (await findTestRun(deps.db, ticket.runId));
  if (!run || run.operatorId !== author.id) throw new DomainError("not_found", "There is no such run.");
  const client = await managedClient(run.clientId, author, deps.db);
  await endTestRun(deps.db, run, deps.now(), [endWrite(run, client, author, deps)]);
}

/** The audit row of the end of a run. */
export const endWrite = (run: Pick<TestRun, "id">, client: ClientRow, author: Author, deps: OperationDeps) =>
  clientWrite(author, client, { action: "test_run.end", detail: { run: run.id } }, deps);

/** What the calls of a run share. The ticket authenticates them unless the operator pasted a secret. */
export function sessionOf(
  { run, client, ticket }: OpenRun,
  secret: string | undefined,
  author: Author,
  deps: OperationDeps,
): Session {
  const exemption = runExemption(run, deps.config.consoleCallback ?? "");
  return {
    clientId: run.clientId,
    confidential: isConfidential(client as Pick<Client, "type">),
    secret,
    reveal: ticket.reveal,
    proofKey: ticket.proofKey,
    caller: { address: author.address },
    author,
    deps,
    protocol: { ...depsUnder(exemption, deps), exemption },
  };
}
