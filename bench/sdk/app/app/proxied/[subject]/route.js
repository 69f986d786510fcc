import { headers } from "next/headers";

/** Does nothing, behind the proxy. */
export async function GET() {
  await headers();
  return new Response("passed");
}
