import type { NextRequest } from "next/server";
import { handlers } from "../../../../auth";

export const { POST } = handlers;

/** Everything but the session, which has the access token in it and is for server code only. */
export async function GET(request: NextRequest): Promise<Response> {
  if (request.nextUrl.pathname.endsWith("/session")) return new Response(null, { status: 404 });
  return handlers.GET(request);
}
