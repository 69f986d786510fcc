import type { Credential, Maker } from "@gatehouse/accounts";
import { type Environment, type Role, SCOPES, type ScopeTable } from "@gatehouse/auth";
import { isBuiltInClient } from "./clients/built-in-clients.ts";
import { DomainError } from "./domain-error.ts";

/** Who runs an operation. The command line acts as an admin. */
export type Actor = { role: Role };

/** An actor with what the audit log records about it. */
export type Author = Actor & {
  id: string;
  name: string;
  via: "console" | "cli" | "api" | "api_token" | "server";
  /**
   * Since when the user's sign-in counts as fresh, in Unix seconds; null if it does not: nobody signed in, or not with
   * every factor. Decided once, when the author is created. Not simply the time of a sign-in. CO-88.
   */
  freshSince: number | null;
  address: string | null;
  /** What the request was authenticated with; undefined for the command line and the server. */
  credential?: Credential | undefined;
  /** The name of the file that is being applied. CO-73. */
  file?: string;
  /** The browser or program that sent the request. */
  userAgent?: string | null;
  /** Also in the response and in the server's log. */
  requestId?: string | null;
};

/** The server itself, which creates the first admin. */
export const SERVER: Author = {
  role: "admin",
  id: "server",
  name: "Gatehouse",
  via: "server",
  freshSince: null,
  address: null,
};

/**
 * The author as the maker of what keeps working without a session; undefined for the command line and the server, which
 * have no session either.
 */
export function makerOf({ id, role, via, credential }: Author): Maker | undefined {
  return via === "cli" || via === "server" ? undefined : { id, role, credential };
}

/** The error for an author who was demoted, disabled or signed out everywhere while the request ran. N49. */
export const accessEnded = () =>
  new DomainError("forbidden", "Your access has changed or ended meanwhile. Sign in again.");

/** What each role may do in the console. */
export const ABILITIES = {
  admin: { manageProduction: true, manageDevelopment: true, manageUsers: true, view: true },
  developer: { manageProduction: false, manageDevelopment: true, manageUsers: false, view: true },
  viewer: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: true },
  user: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: false },
} as const satisfies Record<Role, Record<string, boolean>>;

export type Ability = keyof (typeof ABILITIES)[Role];

/** The roles with this ability; `signIn`: every role. */
export function rolesThat(may: Ability | "signIn"): readonly Role[] {
  const roles = Object.keys(ABILITIES) as Role[];
  return may === "signIn" ? roles : roles.filter((role) => ABILITIES[role][may]);
}

const VIEWER_SCOPES = ["console:read", "webhooks:read"];
const DEVELOPER_SCOPES = [
  ...VIEWER_SCOPES,
  "console:write",
  "webhooks:reveal",
  "webhooks:replay",
  "webhooks:configure",
];

/** The scopes for the console that each role has. Operations also check the environment. */
const CONSOLE_SCOPES: Record<Role, readonly string[]> = {
  admin: DEVELOPER_SCOPES,
  developer: DEVELOPER_SCOPES,
  viewer: VIEWER_SCOPES,
  user: [],
};

/** The scopes of a session: a user on our own pages has everything the role allows. */
export function scopesOfRole(role: Role, table: ScopeTable = SCOPES): string[] {
  const own = Object.entries(table).flatMap(([name, { kind }]) => (kind === "api" || kind === "account" ? [name] : []));
  return [...own, ...CONSOLE_SCOPES[role]];
}

/** How long after signing in a user can do what requires a fresh sign-in. CO-88. */
export const FRESH_SECONDS = 600;

/** For how many more seconds the sign-in counts as fresh; 0 if it does not. */
export function freshForSeconds(freshSince: number | null, now: number): number {
  return freshSince === null ? 0 : Math.max(0, freshSince + FRESH_SECONDS - now);
}

/**
 * Throws `stale_sign_in` unless the user signed in recently. The command line, which opens the database itself, always
 * passes, and so does an API token: its scope takes the place of a sign-in, and only procedures that name it let it in.
 * CO-88.
 */
export function assertFresh({ via, freshSince }: Pick<Author, "via" | "freshSince">, now: number): void {
  if (via === "cli" || via === "api_token" || freshForSeconds(freshSince, now) > 0) return;
  throw new DomainError(
    "stale_sign_in",
    "This needs a sign-in within the last 10 minutes. Sign in again, then repeat it.",
  );
}

export function mayManage({ role }: Actor, environment: Environment): boolean {
  const can = ABILITIES[role];
  return environment === "production" ? can.manageProduction : can.manageDevelopment;
}

/** Throws `forbidden` unless `actor` may manage clients of this environment. */
export function assertMayManage(actor: Actor, environment: Environment): void {
  if (mayManage(actor, environment)) return;
  throw new DomainError(
    "forbidden",
    environment === "production"
      ? "Only admins can manage production. Ask an admin, or use development or staging."
      : "Your role can view but not change. Ask an admin for the developer role.",
  );
}

/**
 * Only admins manage first-party clients, which act with all rights of the user, and resource servers, which can
 * inspect every token.
 */
export function assertMayTrust(actor: Actor, client: { firstParty: boolean; resourceServer: boolean }): void {
  if (actor.role === "admin" || !(client.firstParty || client.resourceServer)) return;
  throw new DomainError("forbidden", "Only admins can manage first-party clients and resource servers.");
}

/** Throws `conflict` for a client that the server registers at each start. */
function assertNotBuiltIn(clientId: string): void {
  if (isBuiltInClient(clientId))
    throw new DomainError(
      "conflict",
      "This client belongs to Gatehouse itself. The server registers it at each start, so it cannot be changed here.",
    );
}

type ManagedClient = { id: string; environment: Environment; firstParty: boolean; resourceServer: boolean };

/** Throws unless `actor` may change this client. */
export function assertMayChange(actor: Actor, client: ManagedClient): void {
  assertMayManage(actor, client.environment);
  assertMayTrust(actor, client);
  assertNotBuiltIn(client.id);
}
