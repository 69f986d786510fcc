import { NextResponse } from "next/server";
import { env } from "@/env.ts";

/** Reasons why a sign-in fails. /auth/problem explains each. */
export const PROBLEMS = ["unreachable", "denied", "expired", "failed"] as const;
export type Problem = (typeof PROBLEMS)[number];

export function problemPath(reason: Problem): string {
  return `/auth/problem?reason=${reason}`;
}

/** A 303 redirect to a path of the console, on its configured origin. The `Host` header is never used. */
export function seeOther(path: string): NextResponse {
  const { origin } = new URL(env().adminUrl);
  return new NextResponse(null, { status: 303, headers: { location: origin + path, "cache-control": "no-store" } });
}
