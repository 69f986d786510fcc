import { findStoreUnavailable, isSameOrigin, missingLevel, type Role, scopesOf } from "@gatehouse/auth";
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { assertTokenMayCall, assertTokenMaySee, type LimitCheck } from "./api-tokens/limits.ts";
import { authorOf, freshSince } from "./author.ts";
import type { Context, Principal } from "./context.ts";
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
import { assertFresh, rolesThat } from "./permissions.ts";
import type { Requirements } from "./requirements.ts";

const t = initTRPC
  .context<Context>()
  .meta<Requirements>()
  .create({
    isDev: false,
    /** Callers see codes and field problems, but no stack and no message of an unexpected error. */
    errorFormatter({ shape, error, ctx }) {
      const problems = problemsOf(error.cause);
      const { code, httpStatus, path } = shape.data;
      const missingScope = missingScopeOf(error);
      const maxAgeSeconds = requiredSignInAgeOf(error);
      const data = {
        code,
        httpStatus,
        path,
        problems,
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
  const json = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
  if (!json || !isSameOrigin(request, deps.config.issuer))
    throw new TRPCError({
      code: "FORBIDDEN",
      message: "Changes with a session cookie must be JSON requests from this site.",
    });
}

function assertAudience(principal: Principal, audience: string): void {
  if (principal.audience === audience) return;
  throw new TRPCError({ code: "UNAUTHORIZED", message: "The access token is for another resource." });
}

function assertScope({ scopes }: Principal, scope: string): void {
  if (scopes.includes(scope)) return;
  const cause = new MissingScope(scope);
  throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
}

function assertRole(principal: Principal, roles: readonly Role[]): void {
  if (roles.includes(principal.role)) return;
  throw new TRPCError({
    code: "FORBIDDEN",
    message: `This requires the role ${roles.join(" or ")}. Yours is ${principal.role}.`,
  });
}

/**
 * Checks the level of a credential for the console again, since it can be older than the role or the configuration.
 * MF-10, N62.
 */
function assertLevel(principal: Principal, config: Context["deps"]["config"]): void {
  const level = missingLevel(principal, config);
  if (level === undefined) return;
  const cause = new WeakSignIn(level);
  throw new TRPCError({ code: "UNAUTHORIZED", message: cause.message, cause });
}

function assertNoDemo({ demo = false }: Context["deps"]): void {
  if (!demo) return;
  throw new TRPCError({
    code: "FORBIDDEN",
    message: "This is a demo, and nothing in it can be changed. To try this, run npm start: it has data of its own.",
  });
}

/**
 * A procedure with what it requires of its caller, which is also its `meta`:
 * `procedure({ may: "manageUsers", scope: "console:write", fresh: true })`.
 * Without `apiToken` it rejects API tokens. CO-70, CO-88, CO-90.
 */
export function procedure(requirements: Requirements) {
  const { may, scope, audience, fresh, apiToken } = requirements;
  const roles = rolesThat(may);
  return t.procedure
    .meta(requirements)
    .use(mapErrors)
    .use(async ({ ctx, type, getRawInput, next }) => {
      const holder = ctx.principal ? undefined : await holderOf(ctx, requirements, getRawInput);
      const principal = ctx.principal ?? holder;
      if (!principal) throw new TRPCError(AUTHENTICATION_ERRORS[ctx.failure]);
      if (principal.via === "session" && type === "mutation") assertSameOrigin(ctx);
      if (type === "mutation") assertNoDemo(ctx.deps);
      const ofConsole = scopesOf(ctx.deps.config)[scope]?.kind === "console";
      const deps = ofConsole ? { ...ctx.deps, ...ctx.deps.console } : ctx.deps;
      const inner = { ...ctx, deps, principal, limitCheck: null as LimitCheck };
      const { apiToken: limits, scopes } = principal;
      if (limits) {
        assertRole(principal, roles);
        const limitCheck = assertTokenMayCall({ scopes, limits }, apiToken);
        const result = await next({ ctx: { ...inner, limitCheck, actor: authorOf(principal, ctx.request, null) } });
        if (result.ok && apiToken) assertTokenMaySee(limitCheck, apiToken, result.data);
        return result;
      }
      assertAudience(principal, audience ?? ctx.deps.config.resource);
      assertRole(principal, roles);
      assertScope(principal, scope);
      const actor = authorOf(principal, ctx.request, ofConsole || fresh ? await freshSince(principal, deps) : null);
      if (fresh) assertFresh(actor, deps.now());
      if (ofConsole && !holder) assertLevel(principal, ctx.deps.config);
      return next({ ctx: { ...inner, actor } });
    });
}

/**
 * Who started the export whose ticket comes with an access token that is no longer valid. The start checked the
 * sign-in.
 */
async function holderOf(
  { failure, deps }: Context,
  { exportTicket }: Requirements,
  getRawInput: () => Promise<unknown>,
): Promise<Principal | undefined> {
  if (exportTicket === undefined || failure !== "invalid_token") return undefined;
  const input = ticketInput.safeParse(await getRawInput());
  const held = input.success ? await holderOfTicket(exportTicket, input.data.ticket, deps) : undefined;
  if (!held) return undefined;
  const { id: userId, email, name, role } = held.user;
  const none = { environment: null, sessionId: null, clientId: null, signedInAt: null, acr: null };
  return { via: "bearer", userId, email, name, role, scopes: held.scopes, audience: deps.config.resource, ...none };
}

const ticketInput = z.object({ ticket: z.string() });
