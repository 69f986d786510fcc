import { headers } from "next/headers";
import { server } from "../../next/server.ts";

/** Who is signed in, and the CSRF token of the form that signs them out. */
export type PageVisitor = { name: string; email: string; csrf: string };

/**
 * Who is signed in, for what every React page shows; undefined if nobody is. Decides nothing: a page that requires a
 * session calls `pageSession`.
 */
export async function pageVisitor(): Promise<PageVisitor | undefined> {
  return server.visitorOf((await headers()).get("cookie"));
}
