import { type NextRequest, NextResponse } from "next/server";
import { gate, trailingSlash } from "./server/gate.ts";

/** Runs in front of every route but the framework's own files. The handlers check again behind it (D9). */
export async function proxy(request: NextRequest): Promise<Response> {
  const refusal = await gate(request);
  if (refusal) return refusal;
  const slash = trailingSlash(new URL(request.url).pathname);
  if (slash.kind === "none") return NextResponse.next();
  const target = request.nextUrl.clone();
  target.pathname = slash.kind === "same_as" ? slash.pathname : "/not/found";
  return NextResponse.rewrite(target);
}

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
