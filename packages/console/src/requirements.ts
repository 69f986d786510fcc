import type { ApiTokenAccess } from "./api-tokens/limits.ts";
import type { ExportKind } from "./export-ticket.ts";
import type { Ability } from "./permissions.ts";

/**
 * What the environment of the object changes about who may call a procedure. Operations check it, because
 * `gatehouse apply` runs them too; `procedures.test.ts` calls each procedure in every environment and compares.
 *
 * - `none`: the call names no object of one environment, always means development, or takes what its caller started,
 *   who was checked then
 * - `any`: it answers alike in every environment
 * - `admins in production`: elsewhere, each role with the ability
 * - `fresh admins in production`: in production with a fresh sign-in
 * - `fresh, and admins in production`: a fresh sign-in in every environment
 * - `absent in production`: production has no such object
 * - `never in production`: admins get a conflict there
 */
export type EnvironmentRule =
  | "none"
  | "any"
  | "admins in production"
  | "fresh admins in production"
  | "fresh, and admins in production"
  | "absent in production"
  | "never in production";

/** What a procedure requires of its caller. CO-90. */
export type Requirements = {
  /** The caller's scope. An access token must have it, a session has what the user's role allows. */
  scope: string;
  /** The resource that an access token is for; by default the built-in API, which a session is for as well. */
  audience?: string;
  /** A sign-in within the last 10 minutes, with every factor. CO-88. */
  fresh?: boolean;
  /** How API tokens may call it. Their scope replaces `scope` and `fresh`. Without it, they are rejected. CO-70. */
  apiToken?: ApiTokenAccess;
  /** The ticket of the input replaces an access token that ended during the export. CO-85. */
  exportTicket?: ExportKind;
} & (
  | {
      /** What the caller's role must allow; `signIn`: any role. */
      may: "signIn" | Exclude<Ability, "manageDevelopment">;
      /** By default `none`. */
      environment?: EnvironmentRule;
    }
  | { may: "manageDevelopment"; environment: EnvironmentRule }
);
