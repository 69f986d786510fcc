import { type ActiveSession, authorize, type Caller, decideConsent, type Role, startSession } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import type { Callback } from "../try/steps.ts";

export const CALLER: Caller = { address: "192.0.2.1" };

/** A person who has just signed in to the console. */
export const operator = (role: Role, freshSince: number | null): Author => ({
  id: role,
  name: role,
  role,
  via: "console" as const,
  freshSince,
  address: "192.0.2.1",
});

/** A session of the person with this role at the server. */
export async function sessionFor(role: Role, deps: OperationDeps): Promise<ActiveSession> {
  const user = await findUser(deps.db, role);
  if (!user) throw new Error(`there is no user with the role ${role}`);
  const { session } = await startSession({ user, userAgent: null, address: null, ...passwordSignIn(deps) }, deps);
  return { session, user };
}

/**
 * Opens the link of a run in a browser where this person is signed in, and allows. Returns what the console's callback
 * gets.
 */
export async function allow(
  url: string,
  session: ActiveSession,
  deps: OperationDeps,
): Promise<Callback & { to: string }> {
  const asked = await authorize(new URL(url).searchParams, session, deps, CALLER);
  if (asked.kind !== "consent") throw new Error(`expected consent, got ${asked.kind}`);
  const decided = await decideConsent(asked.request, "allow", session, deps, CALLER);
  if (decided.kind !== "redirect") throw new Error(`expected a redirect, got ${decided.kind}`);
  const [to = "", query = ""] = decided.to.split("?");
  return { ...Object.fromEntries(new URLSearchParams(query)), to };
}
