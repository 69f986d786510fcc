import { ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import { TRPCError } from "@trpc/server";
import type { OperationDeps } from "../deps.ts";
import type { LiveApiToken } from "./authenticate.ts";
import type { ApiTokenScope } from "./scopes.ts";

/**
 * How API tokens may call a procedure. `reach` says how a token that is limited to environments or to a client is held
 * to them:
 * - `environment`: the checked input names the environment; `.use(inEnvironment(…))` after `.input()` compares it
 * - `client`: the checked input names the client; `.use(ofClient)` after `.input()` compares it
 * - `answer`: the answer, or each of its items, names its environment
 * - `everything`: only tokens without limits may call it
 */
export type ApiTokenAccess = { scope: ApiTokenScope; reach: "environment" | "client" | "answer" | "everything" };

/** The limits of a token. */
export type ApiTokenLimits = Pick<LiveApiToken, "id" | "name" | "environments" | "clientId" | "firstPartyOrigins">;

/** The limits that a call is held to; null without any. `held`: the input was compared with them. */
export type LimitCheck = { limits: ApiTokenLimits; held: boolean } | null;

const forbidden = (message: string) => new TRPCError({ code: "FORBIDDEN", message });

/** What a call by a token is held to. Throws FORBIDDEN unless tokens with this scope may call the procedure. */
export function assertTokenMayCall(
  { scopes, limits }: { scopes: readonly string[]; limits: ApiTokenLimits },
  access: ApiTokenAccess | undefined,
): LimitCheck {
  if (!access) throw forbidden("API tokens can’t call this procedure.");
  if (!scopes.includes(access.scope)) throw forbidden(`This API token lacks the scope ${access.scope}.`);
  if (isUnlimited(limits)) return null;
  if (access.reach !== "client" && limits.clientId !== null)
    throw forbidden(`This API token is for the client ${limits.clientId} alone.`);
  if (access.reach === "everything") throw forbidden(`This needs an API token for all environments. ${ours(limits)}`);
  return { limits, held: false };
}

/**
 * Throws FORBIDDEN if the answer has something that the token may not see, or if the call was not held to the token's
 * limits.
 */
export function assertTokenMaySee(limitCheck: LimitCheck, { reach }: ApiTokenAccess, answer: unknown): void {
  if (limitCheck === null) return;
  if (reach !== "answer") {
    if (!limitCheck.held) throw forbidden(`This needs an API token for all environments. ${ours(limitCheck.limits)}`);
    return;
  }
  const items = member(answer, "items");
  for (const item of Array.isArray(items) ? items : [answer]) {
    const environment = member(item, "environment") ?? member(member(item, "client"), "environment");
    if (!limitCheck.limits.environments.some((own) => own === environment))
      throw forbidden(`This is of another environment. ${ours(limitCheck.limits)}`);
  }
}

type LimitedCall<Input, Result> = {
  ctx: { limitCheck: LimitCheck; deps: Pick<OperationDeps, "store"> };
  input: Input;
  next: () => Promise<Result>;
};

/**
 * Middleware for after `.input()`, so that it reads what the handler acts on: holds a limited token to the environment
 * that the call is about. Throws FORBIDDEN for another one, and for a call that names none.
 */
export function inEnvironment<Input>(environmentOf: (input: Input) => Environment | undefined) {
  return async <Result>({ ctx: { limitCheck }, input, next }: LimitedCall<Input, Result>): Promise<Result> => {
    if (limitCheck === null) return next();
    const asked = environmentOf(input);
    if (asked === undefined || !limitCheck.limits.environments.includes(asked))
      throw forbidden(`Filter by environment. ${ours(limitCheck.limits)}`);
    limitCheck.held = true;
    return next();
  };
}

/** The same for the client that the input names. */
export async function ofClient<Result>({
  ctx: { limitCheck, deps },
  input,
  next,
}: LimitedCall<{ clientId: string }, Result>): Promise<Result> {
  if (limitCheck === null) return next();
  await assertReachesClient(limitCheck.limits, input.clientId, deps.store);
  limitCheck.held = true;
  return next();
}

async function assertReachesClient(
  limits: ApiTokenLimits,
  clientId: string,
  store: OperationDeps["store"],
): Promise<void> {
  if (limits.clientId !== null) {
    if (clientId !== limits.clientId) throw forbidden(`This API token is for the client ${limits.clientId} alone.`);
    return;
  }
  const client = await store.findClient(clientId);
  if (client && !limits.environments.includes(client.environment))
    throw forbidden(`The client is of ${client.environment}. ${ours(limits)}`);
}

const isUnlimited = ({ environments, clientId }: ApiTokenLimits) =>
  clientId === null && ENVIRONMENTS.every((environment: Environment) => environments.includes(environment));

const ours = ({ environments }: ApiTokenLimits) => `This API token is for ${environments.join(" and ")}.`;

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
