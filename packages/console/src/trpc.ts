import { type Credential, hasSecondStep } from "@gatehouse/accounts";
import { ACR, findStoreUnavailable, meets, missingLevel, type Role, scopesOf } from "@gatehouse/auth";
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { assertTokenMayCall, assertTokenMaySee, type LimitCheck, type ProcedureMeta } from "./api-tokens/limits.ts";
import { CONSOLE_CLIENT_ID } from "./clients/built-in-clients.ts";
import type { Context, Principal, RequestSource } from "./context.ts";
import { DomainError } from "./domain-error.ts";
import {
  AUTHENTICATION_ERRORS,
  asUnavailable,
  CODE,
  MissingScope,
  messageOf,
  missingScopeOf,
  problemsOf,
  requiredSignInAgeOf,
  WeakSignIn,
} from "./errors.ts";
import { holderOfTicket } from "./export-ticket.ts";
import { ABILITIES, type Author, assertFresh, freshForSeconds } from "./permissions.ts";

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    /** Callers see codes and field problems, but no stack and no message of an unexpected error. */
    errorFormatter({ shape, error, ctx }) {
      const problems = problemsOf(error.cause);
      const { code, httpStatus, path } = shape.data;
      const missingScope = missingScopeOf(error);
      const maxAgeSeconds = requiredSignInAgeOf(error);
      const data = {
        ...{ code, httpStatus, path, problems },
        ...(ctx?.request.requestId !== undefined && { requestId: ctx.request.requestId }),
        ...(missingScope !== undefined && { missingScope }),
        ...(maxAgeSeconds !== undefined && { stepUp: { maxAgeSeconds } }),
        ...(error.cause instanceof DomainError && error.cause.conflict && { conflict: error.cause.conflict }),
      };
      return { ...shape, message: messageOf(error, problems), data };
    },
  });

export const { router, mergeRouters, createCallerFactory } = t;

/** Converts the errors of operations to tRPC errors. */
const mapErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && findStoreUnavailable(result.error)) throw asUnavailable(result.error);
  if (!result.ok && result.error.cause instanceof DomainError) {
    const { cause } = result.error;
    throw new TRPCError({ code: CODE[cause.kind], message: cause.message, cause });
  }
  return result;
});

/** Browsers send the cookie with requests from other sites too, but those cannot send JSON from our origin. SE-09. */
function assertSameOrigin({ request, deps }: Context): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const ours = site === null ? headers.get("origin") === new URL(deps.config.issuer).origin : site === "same-origin" || site === "none";
  const json = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
  if (!ours || !json)
    throw new TRPCError({ code: "FORBIDDEN", message: "Changes with a session cookie must be JSON requests from this site." });
}

/**
 * What a procedure requires of its caller: one of the roles (by default any), the scope, the resource that an access token is for
 * (by default the built-in API, which a session is for as well), and with `fresh` a recent sign-in.
 */
export type Demand = { role?: readonly Role[]; scope: string; audience?: string; fresh?: boolean };

function assertMeets(principal: Principal, { role, scope, audience }: Demand, config: Context["deps"]["config"]): void {
  if (principal.audience !== (audience ?? config.resource))
    throw new TRPCError({ code: "UNAUTHORIZED", message: "The access token is for another resource." });
  assertRole(principal, role);
  if (!principal.scopes.includes(scope)) {
    const cause = new MissingScope(scope);
    throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
  }
}

/**
 * Since when the sign-in counts as fresh, for the author; null if it was too long ago, if it left out the second factor that the user has, as in a
 * remembered browser, or if nobody knows when the first one was proved. SN-03, UP-13, CO-88.
 */
export async function freshSince(
  { userId, signedInAt, undated, acr }: Principal,
  { store, now }: Pick<Context["deps"], "store" | "now">,
): Promise<number | null> {
  if (undated || freshForSeconds(signedInAt, now()) === 0) return null;
  if (meets(acr ?? undefined, ACR.mfa)) return signedInAt;
  return hasSecondStep(await store.findEnrolment(userId)) ? null : signedInAt;
}

function assertRole(principal: Principal, roles: Demand["role"]): void {
  if (!roles || roles.includes(principal.role)) return;
  throw new TRPCError({ code: "FORBIDDEN", message: `This requires the role ${roles.join(" or ")}. Yours is ${principal.role}.` });
}

/** Checks the level of a credential for the console again, since it can be older than the role or the configuration. MF-10, N62. */
function assertLevel(principal: Principal, config: Context["deps"]["config"]): void {
  const level = missingLevel(principal, config);
  if (level === undefined) return;
  const cause = new WeakSignIn(level);
  throw new TRPCError({ code: "UNAUTHORIZED", message: cause.message, cause });
}

function credentialOf({ via, sessionId, grantId, apiToken }: Principal): Credential | undefined {
  if (apiToken) return { kind: "api_token", id: apiToken.id };
  if (via === "session") return sessionId === null ? undefined : { kind: "session", id: sessionId };
  return grantId == null ? undefined : { kind: "grant", id: grantId };
}

/** The caller as the audit log names it, with the credential. `since`: what {@link freshSince} says; null where nothing asks for a fresh sign-in. */
export function authorOf(
  principal: Principal,
  { address, userAgent = null, requestId = null }: Pick<RequestSource, "address" | "userAgent"> & { requestId?: string | null },
  since: number | null,
): Author {
  const { userId, name, role, via, clientId, apiToken } = principal;
  const request = { address, userAgent, requestId, credential: credentialOf(principal) };
  if (apiToken)
    return { id: userId, name: `${apiToken.name} (API token of ${name})`, role, via: "api_token", freshSince: null, ...request };
  const ownPages = via === "session" || clientId === CONSOLE_CLIENT_ID;
  return { id: userId, name, role, via: ownPages ? "console" : "api", freshSince: since, ...request };
}

/**
 * Every procedure declares who may call it: `procedure.requires({ role: EDITORS, scope: "console:write" })`. An API token is refused unless
 * the procedure's `meta` admits it; then its own scope takes the place of the demanded one and of a fresh sign-in. CO-70, CO-88, CO-90.
 */
export const procedure = {
  requires: (demand: Demand) =>
    t.procedure.use(mapErrors).use(async ({ ctx, type, meta, getRawInput, next }) => {
      const holder = ctx.principal ? undefined : await holderOf(ctx, meta, getRawInput);
      const principal = ctx.principal ?? holder;
      if (!principal) throw new TRPCError(AUTHENTICATION_ERRORS[ctx.failure]);
      if (principal.via === "session" && type === "mutation") assertSameOrigin(ctx);
      const ofConsole = scopesOf(ctx.deps.config)[demand.scope]?.kind === "console";
      const deps = ofConsole ? { ...ctx.deps, ...ctx.deps.console } : ctx.deps;
      const inner = { ...ctx, deps, principal, limitCheck: null as LimitCheck };
      const { apiToken: limits, scopes } = principal;
      if (limits) {
        assertRole(principal, demand.role);
        const limitCheck = assertTokenMayCall({ scopes, limits }, meta?.apiToken);
        const result = await next({ ctx: { ...inner, limitCheck, actor: authorOf(principal, ctx.request, null) } });
        if (result.ok && meta?.apiToken) assertTokenMaySee(limitCheck, meta.apiToken, result.data);
        return result;
      }
      assertMeets(principal, demand, ctx.deps.config);
      const actor = authorOf(principal, ctx.request, ofConsole || demand.fresh ? await freshSince(principal, deps) : null);
      if (demand.fresh) assertFresh(actor, deps.now());
      if (ofConsole && !holder) assertLevel(principal, ctx.deps.config);
      return next({ ctx: { ...inner, actor } });
    }),
};

/** Who started the export whose ticket comes with an access token that is no longer valid. The start checked the sign-in. */
async function holderOf(
  { failure, deps }: Context,
  meta: ProcedureMeta | undefined,
  getRawInput: () => Promise<unknown>,
): Promise<Principal | undefined> {
  if (meta?.exportTicket === undefined || failure !== "invalid_token") return undefined;
  const input = ticketInput.safeParse(await getRawInput());
  const held = input.success ? await holderOfTicket(meta.exportTicket, input.data.ticket, deps) : undefined;
  if (!held) return undefined;
  const { id: userId, email, name, role } = held.user;
  const none = { environment: null, sessionId: null, clientId: null, signedInAt: null, acr: null };
  return { via: "bearer", userId, email, name, role, scopes: held.scopes, audience: deps.config.resource, ...none };
}

/** Who starts an export, for its ticket. */
export function exportAuthor({ actor, principal: { scopes, sessionId } }: { actor: Author; principal: Principal }) {
  return { ...actor, scopes, sessionId };
}

const ticketInput = z.object({ ticket: z.string() });

const rolesThat = (ability: keyof (typeof ABILITIES)["admin"]) =>
  (Object.keys(ABILITIES) as Role[]).filter((role) => ABILITIES[role][ability]);

/** Callers who may view the console. */
export const viewing = procedure.requires({ role: rolesThat("view"), scope: "console:read" });
/** Callers who may take the audit log, the failures or the applications with them. CO-88. */
export const exportingList = procedure.requires({ role: rolesThat("view"), scope: "console:read", fresh: true });
/** Callers who may change something; the operations check the environment. */
export const managing = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:write" });
/** Callers who may change what all clients share. */
export const administering = procedure.requires({ role: rolesThat("manageProduction"), scope: "console:write" });
/** Callers who may view webhook endpoints and deliveries. */
export const viewingWebhooks = procedure.requires({ role: rolesThat("view"), scope: "webhooks:read" });
/** Callers who may take the list of deliveries with them; the operation checks whether with payloads. CO-88. */
export const exporting = procedure.requires({ role: rolesThat("view"), scope: "webhooks:read", fresh: true });
/** Callers who may see what deliveries contain; the operations check the environment. CO-88. */
export const revealing = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "webhooks:reveal", fresh: true });
/** Callers who may run handlers again; the operations check the environment. CO-88. */
export const replaying = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "webhooks:replay", fresh: true });
/** Callers who may delete what deliveries contain; the operations check the environment. CO-53, CO-88. */
export const erasing = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "webhooks:configure", fresh: true });
/** Callers who may follow a run of handlers, with the errors of those that fail. CO-02. */
export const followingReruns = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "webhooks:replay" });
/** Callers who may change webhook endpoints; the operations check the environment and, in production, the sign-in. CO-88. */
export const configuring = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "webhooks:configure" });
/** Callers who may follow an export of users that they started. UM-08. */
export const followingUserExports = procedure.requires({ role: rolesThat("manageUsers"), scope: "console:read" });
/** Callers who may manage users. SN-03. */
export const managingUsers = procedure.requires({ role: rolesThat("manageUsers"), scope: "console:write", fresh: true });
/** Callers who may change what the whole installation relies on. CO-88. */
export const securing = procedure.requires({ role: rolesThat("manageProduction"), scope: "console:write", fresh: true });
/** Callers who may unlock what a file manages; the operation checks who may change the object. CO-73. */
export const unlocking = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:write", fresh: true });
/** Callers who may change how users sign in. UP-01. */
export const configuringSignIn = procedure.requires({ role: rolesThat("manageUsers"), scope: "console:write", fresh: true });
