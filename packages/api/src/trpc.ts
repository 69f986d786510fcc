import { findStoreUnavailable, type Role } from "@gatehouse/auth";
import { ABILITIES, DomainError, type Problem } from "@gatehouse/operations";
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Context, Principal, Refusal } from "./context.ts";

const CODE = {
  invalid: "BAD_REQUEST",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  forbidden: "FORBIDDEN",
  unauthorized: "UNAUTHORIZED",
} as const;

/** What a refused input is told, field by field. */
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
  if (error.code === "INTERNAL_SERVER_ERROR") return "Something went wrong on our side. Try again; if it stays, tell an admin.";
  if (error.cause instanceof z.ZodError) return problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  return error.message;
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  /** Codes and field problems go out; stacks and the words of unexpected errors do not. */
  errorFormatter({ shape, error }) {
    const problems = problemsOf(error.cause);
    const { code, httpStatus, path } = shape.data;
    const missingScope = missingScopeOf(error);
    const data = { code, httpStatus, path, problems, ...(missingScope !== undefined && { missingScope }) };
    return { ...shape, message: messageOf(error, problems), data };
  },
});

export const { router, mergeRouters, createCallerFactory } = t;

/** The one place where operations' errors become tRPC's. */
const mapErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && findStoreUnavailable(result.error)) throw asUnavailable(result.error);
  if (!result.ok && result.error.cause instanceof DomainError) {
    const { cause } = result.error;
    throw new TRPCError({ code: CODE[cause.kind], message: cause.message, cause });
  }
  return result;
});

const UNAVAILABLE = "The database cannot serve this right now. Try again in a few seconds.";

/** 503 in tRPC's shape for what was thrown while the store could not serve; anything else as it is. OP-30. */
export function asUnavailable(thrown: unknown): unknown {
  const cause = findStoreUnavailable(thrown);
  return cause ? new TRPCError({ code: "SERVICE_UNAVAILABLE", message: UNAVAILABLE, cause }) : thrown;
}

/** A cookie comes along with requests that other sites cause; JSON from our own origin cannot be such a one. SE-09. */
function assertSameOrigin({ request, deps }: Context): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const ours = site === null ? headers.get("origin") === new URL(deps.config.issuer).origin : site === "same-origin" || site === "none";
  const json = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
  if (!ours || !json)
    throw new TRPCError({ code: "FORBIDDEN", message: "A change with a session must be JSON sent from this site's own pages." });
}

const REFUSALS = {
  no_credential: { code: "UNAUTHORIZED", message: "Sign in, or send an access token." },
  invalid_token: { code: "UNAUTHORIZED", message: "The access token is not valid. Get a new one." },
  no_person: { code: "FORBIDDEN", message: "This access token stands for a client, not for a person." },
  unavailable: { code: "INTERNAL_SERVER_ERROR", message: "The access token could not be checked." },
} as const satisfies Record<Refusal, { code: string; message: string }>;

/**
 * What a procedure asks of its caller: one of the roles (any, when left out), the scope, and the resource that an access
 * token has to be for (our own API, when left out, which is what a session stands for).
 */
export type Demand = { role?: readonly Role[]; scope: string; audience?: string };

function assertMeets(principal: Principal, { role, scope, audience }: Demand, { config }: Context["deps"]): void {
  if (principal.audience !== (audience ?? config.resource))
    throw new TRPCError({ code: "UNAUTHORIZED", message: "The access token is meant for another resource." });
  if (role && !role.includes(principal.role))
    throw new TRPCError({ code: "FORBIDDEN", message: `This needs the role ${role.join(" or ")}; yours is ${principal.role}.` });
  if (!principal.scopes.includes(scope)) {
    const cause = new MissingScope(scope);
    throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
  }
}

/** Procedures say in the line that declares them who may call: `procedure.requires({ role: EDITORS, scope: "console:write" })`. */
export const procedure = {
  requires: (demand: Demand) =>
    t.procedure.use(mapErrors).use(({ ctx, type, next }) => {
      const { principal } = ctx;
      if (!principal) throw new TRPCError(REFUSALS[ctx.refusal]);
      if (principal.via === "session" && type === "mutation") assertSameOrigin(ctx);
      assertMeets(principal, demand, ctx.deps);
      const deps = demand.scope.startsWith("console:") ? { ...ctx.deps, ...ctx.deps.console } : ctx.deps;
      return next({ ctx: { ...ctx, deps, principal, actor: { role: principal.role } } });
    }),
};

const rolesThat = (ability: keyof (typeof ABILITIES)["admin"]) =>
  (Object.keys(ABILITIES) as Role[]).filter((role) => ABILITIES[role][ability]);

/** Whoever may look at the console. */
export const viewing = procedure.requires({ role: rolesThat("view"), scope: "console:read" });
/** Whoever may look into why requests were refused: those who also may mend it. */
export const investigating = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:read" });
/** Whoever may change anything; the operations decide which environments. */
export const managing = procedure.requires({ role: rolesThat("manageDevelopment"), scope: "console:write" });
/** Whoever may change what all clients share. */
export const administering = procedure.requires({ role: rolesThat("manageProduction"), scope: "console:write" });
/** Whoever may manage people. */
export const managingUsers = procedure.requires({ role: rolesThat("manageUsers"), scope: "console:write" });
