import { ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import type { ApiTokenScope, ExportKind, LiveApiToken, OperationDeps } from "@gatehouse/operations";
import { TRPCError } from "@trpc/server";

/**
 * How API tokens may call a procedure. `reach` says how a token that is limited to environments or to a client is held to them:
 * - `filter`: the input names the environment, itself or in its `filter`
 * - `answer`: the answer, or each of its items, names its environment
 * - `client`: the input names the client
 * - `everything`: only tokens without limits may call it
 */
export type ApiTokenDemand = { scope: ApiTokenScope; reach: "filter" | "answer" | "client" | "everything" };

/**
 * A procedure without `apiToken` refuses API tokens. CO-70. `exportTicket`: the ticket of its input takes the place of an access token that ended
 * during the export. CO-85.
 */
export type ProcedureMeta = { apiToken?: ApiTokenDemand; exportTicket?: ExportKind };

/** The limits of a token. */
export type ApiTokenLimits = Pick<LiveApiToken, "id" | "name" | "environments" | "clientId">;

const forbidden = (message: string) => new TRPCError({ code: "FORBIDDEN", message });

/** Throws FORBIDDEN unless a token with these scopes and limits may make the call. `input` is as it was sent, unchecked. */
export async function assertTokenMayAsk(
  { scopes, limits }: { scopes: readonly string[]; limits: ApiTokenLimits },
  demand: ApiTokenDemand | undefined,
  input: unknown,
  { store }: Pick<OperationDeps, "store">,
): Promise<void> {
  if (!demand) throw forbidden("API tokens can’t call this procedure.");
  if (!scopes.includes(demand.scope)) throw forbidden(`This API token lacks the scope ${demand.scope}.`);
  if (isUnlimited(limits)) return;
  if (demand.reach === "client") return assertReachesClient(limits, member(input, "clientId"), store);
  if (limits.clientId !== null) throw forbidden(`This API token is for the client ${limits.clientId} alone.`);
  if (demand.reach === "everything") throw forbidden(`This needs an API token for all environments. ${ours(limits)}`);
  if (demand.reach === "answer") return;
  const asked = member(input, "environment") ?? member(member(input, "filter"), "environment");
  if (!limits.environments.some((environment) => environment === asked)) throw forbidden(`Filter by environment. ${ours(limits)}`);
}

/** Throws FORBIDDEN if the answer has something that the token may not see. */
export function assertTokenMaySee(limits: ApiTokenLimits, demand: ApiTokenDemand, answer: unknown): void {
  if (demand.reach !== "answer" || isUnlimited(limits)) return;
  const items = member(answer, "items");
  for (const item of Array.isArray(items) ? items : [answer]) {
    const environment = member(item, "environment") ?? member(member(item, "client"), "environment");
    if (!limits.environments.some((own) => own === environment)) throw forbidden(`This is of another environment. ${ours(limits)}`);
  }
}

async function assertReachesClient(limits: ApiTokenLimits, clientId: unknown, store: OperationDeps["store"]): Promise<void> {
  if (limits.clientId !== null) {
    if (clientId !== limits.clientId) throw forbidden(`This API token is for the client ${limits.clientId} alone.`);
    return;
  }
  const client = typeof clientId === "string" ? await store.findClient(clientId) : undefined;
  if (client && !limits.environments.includes(client.environment))
    throw forbidden(`The client is of ${client.environment}. ${ours(limits)}`);
}

const isUnlimited = ({ environments, clientId }: ApiTokenLimits) =>
  clientId === null && ENVIRONMENTS.every((environment: Environment) => environments.includes(environment));

const ours = ({ environments }: ApiTokenLimits) => `This API token is for ${environments.join(" and ")}.`;

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
