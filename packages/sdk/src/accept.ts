import { GatehouseError } from "./error.ts";
import type { Demand } from "./refusal/refusal.ts";
import type { RequestAuth, TokenAuth } from "./request-auth.ts";
import type { TokenDemand } from "./verify-token/token.ts";

/**
 * How a caller may say who it is: an access token in the `Authorization` header, the session cookie of a browser, or
 * either. A cookie never counts where only tokens do.
 */
export type Accept = "bearer" | "session" | "any";

/** What a route or procedure requires of its caller. */
export type AuthDemand = Demand & TokenDemand & { accept?: Accept | undefined };
/** What is required where sessions alone count. */
export type SessionDemand = Demand & { accept?: "session" | undefined };
/** What is required where access tokens count, alone or beside sessions. */
export type ApiDemand<A extends keyof AuthBy> = Demand & TokenDemand & { accept: A };
/** Who may have sent a request, by what is accepted. */
export type AuthBy = { bearer: TokenAuth; any: RequestAuth };

const ACCEPTS: readonly unknown[] = ["bearer", "session", "any"] satisfies Accept[];

/**
 * What a demand accepts. Callers without types can pass anything, and a mistyped value must not admit cookies.
 *
 * @throws GatehouseError `configuration`.
 */
export function acceptOf({ accept }: AuthDemand, unlessSaid: Accept): Accept {
  if (accept === undefined) return unlessSaid;
  if (!ACCEPTS.includes(accept))
    throw new GatehouseError("configuration", 'accept must be "bearer", "session" or "any".');
  return accept;
}

/**
 * Is the request judged by its `Authorization` header alone? With one, a cookie never makes up for a token that is not
 * valid, whatever the scheme. PK-38, BR-13.
 */
export function judgedByToken({ headers }: Pick<Request, "headers">, accept: Accept): boolean {
  return accept === "bearer" || (accept === "any" && headers.has("authorization"));
}

/**
 * Rejects a demand that accepts access tokens where only a session can be checked. PK-38.
 *
 * @throws GatehouseError `configuration`.
 */
export function requireSessionDemand(demand: SessionDemand): void {
  const accept = acceptOf(demand, "session");
  if (accept !== "session") throw new GatehouseError("configuration", sessionsAlone(accept));
}

const sessionsAlone = (accept: Accept) =>
  `accept: "${accept}" works on handlers alone: a page, an Action and the proxy have no request to check the proof of a ` +
  `token with. Wrap the handler of route.ts: auth.protect({ accept: "${accept}" }, handler).`;
