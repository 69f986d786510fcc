import { type NextRequest, NextResponse } from "next/server";
import { gate, trailingSlash } from "./server/gate.ts";

/** Runs in front of every route but the framework's own files. The handlers check again behind it (D9). */
export async function proxy(request: NextRequest): Promise<Response> {
  const refusal = await gate(request);
  if (refusal) return refusal;
  const slash = trailingSlash(new URL(request.url).pathname);
  if (slash.kind === "none") return NextResponse.next();
  // Not `nextUrl`: it writes 127.0.0.1 as localhost, which the framework then takes for another host.
  return NextResponse.rewrite(new URL(slash.kind === "same_as" ? slash.pathname : "/not/found", request.url));
}

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
