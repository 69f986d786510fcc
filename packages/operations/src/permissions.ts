import { type Environment, type Role, SCOPES, type ScopeTable } from "@gatehouse/auth";
import { CONSOLE_CLIENT_ID } from "./clients/console-client.ts";
import { DomainError } from "./domain-error.ts";

/** Whoever runs an operation. The command line acts as an admin. */
export type Actor = { role: Role };

/** What each role may do in the console. */
export const ABILITIES = {
  admin: { manageProduction: true, manageDevelopment: true, manageUsers: true, view: true },
  developer: { manageProduction: false, manageDevelopment: true, manageUsers: false, view: true },
  viewer: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: true },
  user: { manageProduction: false, manageDevelopment: false, manageUsers: false, view: false },
} as const satisfies Record<Role, Record<string, boolean>>;

/** The scopes a session stands for: a person at our own page has all that the role can use. */
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
      ? "Only an admin manages production. Ask an admin, or work in development or staging."
      : "Your role may look but not change. Ask an admin for the developer role.",
  );
}

/** First-party clients act with the rights of whoever signs in, and resource servers read all tokens: only admins touch them. */
export function assertMayTrust(actor: Actor, client: { firstParty: boolean; resourceServer: boolean }): void {
  if (actor.role === "admin" || !(client.firstParty || client.resourceServer)) return;
  throw new DomainError("forbidden", "Only an admin manages first-party clients and resource servers.");
}

/** Throws `conflict` for the console's own client: it belongs to the server, which writes it at each start. */
export function assertNotConsole(clientId: string): void {
  if (clientId === CONSOLE_CLIENT_ID)
    throw new DomainError("conflict", "This is the console's own client. The server sets it up at each start; it cannot be changed here.");
}

type ManagedClient = { id: string; environment: Environment; firstParty: boolean; resourceServer: boolean };

/** Throws unless `actor` may change this client. */
export function assertMayChange(actor: Actor, client: ManagedClient): void {
  assertMayManage(actor, client.environment);
  assertMayTrust(actor, client);
  assertNotConsole(client.id);
}
