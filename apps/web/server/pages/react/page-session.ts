import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { server } from "../../next/server.ts";
import type { ReactPath, SessionOf } from "../../routing/policy-table.ts";

/**
 * Reads the session for the server components and server functions of the React page at `path`. Enforces the page's
 * policy again behind the guard (D9): if the page requires a session and there is none, it redirects to the sign-in
 * page.
 */
export async function pageSession<Path extends ReactPath>(path: Path): Promise<SessionOf<Path>> {
  const { session, signInAt } = await server.sessionAt(path, (await headers()).get("cookie"));
  if (signInAt !== undefined) redirect(signInAt);
  return session as SessionOf<Path>;
}
