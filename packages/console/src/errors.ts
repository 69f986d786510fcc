import { type Acr, findStoreUnavailable } from "@gatehouse/auth";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { AuthenticationFailure } from "./context.ts";
import { DomainError, type Problem } from "./domain-error.ts";
import { FRESH_SECONDS } from "./permissions.ts";

/** The tRPC code of each kind of error that operations throw. */
export const CODE = {
  invalid: "BAD_REQUEST",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  forbidden: "FORBIDDEN",
  unauthorized: "UNAUTHORIZED",
  stale_sign_in: "UNAUTHORIZED",
} as const;

/** The problems with an input, field by field. */
export function problemsOf(cause: unknown): readonly Problem[] {
  if (cause instanceof DomainError) return cause.problems;
  if (cause instanceof z.ZodError) return cause.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return [];
}

/** The access token lacks this scope. */
export class MissingScope extends Error {
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

/** What users below the level of their role are told. */
export const WEAK_SIGN_IN = "Your role requires a second factor. Sign in again.";

/** The user signed in below the level that this server demands of the role. MF-10. */
export class WeakSignIn extends Error {
  readonly level: Acr;
  constructor(level: Acr) {
    super(WEAK_SIGN_IN);
    this.level = level;
  }
}

/** The level that the refused sign-in would need; undefined for any other error. RFC 9470 §3. */
export function requiredLevelOf({ cause }: TRPCError): Acr | undefined {
  return cause instanceof WeakSignIn ? cause.level : undefined;
}

/**
 * How recently the user has to have signed in for what was refused, in seconds; undefined for any other error. RFC 9470
 * §3.
 */
export function requiredSignInAgeOf({ cause }: TRPCError): number | undefined {
  return cause instanceof DomainError && cause.kind === "stale_sign_in" ? FRESH_SECONDS : undefined;
}

/** The message for callers, without any details of an unexpected error. */
export function messageOf(error: TRPCError, problems: readonly Problem[]): string {
  if (error.code === "INTERNAL_SERVER_ERROR")
    return "Something went wrong. Try again, and tell an admin if it happens again.";
  if (error.cause instanceof z.ZodError)
    return problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  return error.message;
}

const UNAVAILABLE = "The database is unavailable. Try again in a few seconds.";

/** A tRPC error with status 503 if the store was unavailable; any other error unchanged. OP-30. */
export function asUnavailable(thrown: unknown): unknown {
  const cause = findStoreUnavailable(thrown);
  return cause ? new TRPCError({ code: "SERVICE_UNAVAILABLE", message: UNAVAILABLE, cause }) : thrown;
}

/** What callers without a valid credential are told. */
export const AUTHENTICATION_ERRORS = {
  no_credential: { code: "UNAUTHORIZED", message: "Sign in, or send an access token." },
  invalid_token: { code: "UNAUTHORIZED", message: "The access token is not valid. Get a new one." },
  no_user: { code: "FORBIDDEN", message: "This access token belongs to a client, not to a user." },
  other_user: {
    code: "PRECONDITION_FAILED",
    message: "Somebody else has signed in with this browser. Reload the page.",
  },
  api_token_unknown: { code: "UNAUTHORIZED", message: "There is no such API token. Check that it was copied whole." },
  api_token_ended: {
    code: "UNAUTHORIZED",
    message: "The API token has expired or was revoked. Ask an admin for a new one.",
  },
  api_token_maker: {
    code: "UNAUTHORIZED",
    message: "The API token is no longer valid: the admin who created it was disabled or lost the role.",
  },
  unavailable: { code: "INTERNAL_SERVER_ERROR", message: "The access token could not be checked." },
} as const satisfies Record<AuthenticationFailure, { code: string; message: string }>;
