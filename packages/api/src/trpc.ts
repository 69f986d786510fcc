import { findStoreUnavailable, type Role } from "@gatehouse/auth";
import { ABILITIES, DomainError, type Problem } from "@gatehouse/operations";
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import type { AuthenticationFailure, Context, Principal } from "./context.ts";

const CODE = {
  invalid: "BAD_REQUEST",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  forbidden: "FORBIDDEN",
  unauthorized: "UNAUTHORIZED",
} as const;

/** The problems with an input, field by field. */
function problemsOf(cause: unknown): readonly Problem[] {
  if (cause instanceof DomainError) return cause.problems;
  if (cause instanceof z.ZodError) return cause.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return [];
}

/** The access token lacks this scope. */
class MissingScope extends Error {
  readonly scope: string;
  constructor(scope: string) {
    super(`The access token lacks the scope ${scope}.`);
    this.scope = scope;
  }
}

/** The scope that a refused access token would need; undefined for any other error. */
export function missingScopeOf({ cause }: TRPCError): string | undefined {
  return cause instanceof MissingScope ? cause.scope : undefined;
}

function messageOf(error: TRPCError, problems: readonly Problem[]): string {
  if (error.code === "INTERNAL_SERVER_ERROR") return "Something went wrong. Try again, and tell an admin if it happens again.";
  if (error.cause instanceof z.ZodError) return problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  return error.message;
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  /** Callers see codes and field problems, but no stack and no message of an unexpected error. */
  errorFormatter({ shape, error }) {
    const problems = problemsOf(error.cause);
    const { code, httpStatus, path } = shape.data;
    const missingScope = missingScopeOf(error);
    const data = { code, httpStatus, path, problems, ...(missingScope !== undefined && { missingScope }) };
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

const UNAVAILABLE = "The database is unavailable. Try again in a few seconds.";

/** A tRPC error with status 503 if the store was unavailable; any other error unchanged. OP-30. */
export function asUnavailable(thrown: unknown): unknown {
  const cause = findStoreUnavailable(thrown);
  return cause ? new TRPCError({ code: "SERVICE_UNAVAILABLE", message: UNAVAILABLE, cause }) : thrown;
}

/** Browsers send the cookie with requests from other sites too, but those cannot send JSON from our origin. SE-09. */
function assertSameOrigin({ request, deps }: Context): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const ours = site === null ? headers.get("origin") === new URL(deps.config.issuer).origin : site === "same-origin" || site === "none";
  const json = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
  if (!ours || !json)
    throw new TRPCError({ code: "FORBIDDEN", message: "Changes with a session cookie must be JSON requests from this site." });
}

const AUTHENTICATION_ERRORS = {
  no_credential: { code: "UNAUTHORIZED", message: "Sign in, or send an access token." },
  invalid_token: { code: "UNAUTHORIZED", message: "The access token is not valid. Get a new one." },
  no_user: { code: "FORBIDDEN", message: "This access token belongs to a client, not to a user." },
  unavailable: { code: "INTERNAL_SERVER_ERROR", message: "The access token could not be checked." },
} as const satisfies Record<AuthenticationFailure, { code: string; message: string }>;

/**
 * What a procedure requires of its caller: one of the roles (by default any), the scope, and the resource that an access token is for
 * (by default the built-in API, which a session is for as well).
 */
export type Demand = { role?: readonly Role[]; scope: string; audience?: string };

function assertMeets(principal: Principal, { role, scope, audience }: Demand, { config }: Context["deps"]): void {
  if (principal.audience !== (audience ?? config.resource))
    throw new TRPCError({ code: "UNAUTHORIZED", message: "The access token is for another resource." });
  if (role && !role.includes(principal.role))
    throw new TRPCError({ code: "FORBIDDEN", message: `This requires the role ${role.join(" or ")}. Yours is ${principal.role}.` });
  if (!principal.scopes.includes(scope)) {
    const cause = new MissingScope(scope);
    throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
  }
}

/** Every procedure declares who may call it: `procedure.requires({ role: EDITORS, scope: "console:write" })`. */
export const procedure = {
  requires: (demand: Demand) =>
    t.procedure.use(mapErrors).use(({ ctx, type, next }) => {
      const { principal } = ctx;
      if (!principal) throw new TRPCError(AUTHENTICATION_ERRORS[ctx.failure]);
      if (principal.via === "session" && type === "mutation") assertSameOrigin(ctx);
      assertMeets(principal, demand, ctx.deps);
      const deps = demand.scope.startsWith("console:") ? { ...ctx.deps, ...ctx.deps.console } : ctx.deps;
      return next({ ctx: { ...ctx, deps, principal, actor: { role: principal.role } } });
    }),
};

const rolesThat = (ability: keyof (typeof ABILITIES)["admin"]) =>
  (Object.keys(ABILITIES) as Role[]).filter((role) => ABILITIES[role][ability]);

/** Callers who may view the console. */
export const viewing = procedure.requires({ role: rolesThat("view"), scope: "console:read" });
/** Callers who may see why requests were rejected: those who can also fix it. */
export const investigating = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:read" });
/** Callers who may change something; the operations check the environment. */
export const managing = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:write" });
/** Callers who may change what all clients share. */
export const administering = procedure.requires({ role: rolesThat("manageProduction"), scope: "console:write" });
/** Callers who may manage users. */
export const managingUsers = procedure.requires({ role: rolesThat("manageUsers"), scope: "console:write" });
