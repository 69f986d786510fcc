import { readSession } from "@gatehouse/auth";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { POLICIES, type Policy, type ReactPath, type RoutePath, type SessionOf } from "../routing/policy-table.ts";
import { startApp } from "../start/app.ts";
import { signInPath } from "./respond.tsx";

/**
 * Reads the session for the server components and server functions of the React page at `path`. Enforces the page's policy again
 * behind the guard (D9): if the page requires a session and there is none, it redirects to the sign-in page.
 */
export async function pageSession<Path extends ReactPath>(path: Path): Promise<SessionOf<Path>> {
  const route: RoutePath = path;
  const { requires } = POLICIES[route] as Policy;
  const session = await readSession((await headers()).get("cookie"), (await startApp()).deps);
  if (!session && requires !== "public") redirect(route.includes("[") ? "/sign-in" : signInPath(route));
  return session as SessionOf<Path>;
}
