import { type Environment, type Role, SCOPES, type ScopeTable } from "@gatehouse/auth";
import { CONSOLE_CLIENT_ID } from "./clients/console-client.ts";
import { DomainError } from "./domain-error.ts";

/** Who runs an operation. The command line acts as an admin. */
export type Actor = { role: Role };

/** What each role may do in the console. */
export const ABILITIES = {
  admin: { manageProduction: true, manageDevelopment: true, manageUsers: true, view: true },
  developer: { manageProduction: false, manageDevelopment: true, manageUsers: false, view: true },
  viewer: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: true },
  user: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: false },
} as const satisfies Record<Role, Record<string, boolean>>;

/** The scopes of a session: a user on our own pages has everything the role allows. */
export function scopesOfRole(role: Role, table: ScopeTable = SCOPES): string[] {
  const own = Object.entries(table).flatMap(([name, { kind }]) => (kind === "api" || kind === "account" ? [name] : []));
  if (role === "user") return own;
  return role === "viewer" ? [...own, "console:read"] : [...own, "console:read", "console:write"];
}

/** Throws `forbidden` unless `actor` may manage clients of this environment. */
export function assertMayManage(actor: Actor, environment: Environment): void {
  const can = ABILITIES[actor.role];
  if (environment === "production" ? can.manageProduction : can.manageDevelopment) return;
  throw new DomainError(
    "forbidden",
    environment === "production"
      ? "Only admins can manage production. Ask an admin, or use development or staging."
      : "Your role can view but not change. Ask an admin for the developer role.",
  );
}

/** Only admins manage first-party clients, which act with all rights of the user, and resource servers, which can inspect every token. */
export function assertMayTrust(actor: Actor, client: { firstParty: boolean; resourceServer: boolean }): void {
  if (actor.role === "admin" || !(client.firstParty || client.resourceServer)) return;
  throw new DomainError("forbidden", "Only admins can manage first-party clients and resource servers.");
}

/** Throws `conflict` for the console's client, which the server registers at each start. */
function assertNotConsole(clientId: string): void {
  if (clientId === CONSOLE_CLIENT_ID)
    throw new DomainError(
      "conflict",
      "This client belongs to the console. The server registers it at each start, so it cannot be changed here.",
    );
}

type ManagedClient = { id: string; environment: Environment; firstParty: boolean; resourceServer: boolean };

/** Throws unless `actor` may change this client. */
export function assertMayChange(actor: Actor, client: ManagedClient): void {
  assertMayManage(actor, client.environment);
  assertMayTrust(actor, client);
  assertNotConsole(client.id);
}
