import { headers } from "next/headers";
import { server } from "../../next/server.ts";

/**
 * The procedures of /trpc for the session that opens a React page, called without HTTP. For what a page shows first.
 */
export async function pageApi() {
  return server.proceduresFor(await headers());
}
