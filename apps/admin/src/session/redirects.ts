import { NextResponse } from "next/server";
import { env } from "@/env.ts";

/** Why a sign-in ended without a session; each has its sentence on the problem page. */
export const PROBLEMS = ["unreachable", "denied", "expired", "failed"] as const;
export type Problem = (typeof PROBLEMS)[number];

export function problem(reason: Problem): string {
  return `/auth/problem?reason=${reason}`;
}

/** 303 to a path of the console, at its configured URL and never at the one in the `Host` header. */
export function seeOther(path: string): NextResponse {
  const { origin } = new URL(env().adminUrl);
  return new NextResponse(null, { status: 303, headers: { location: origin + path, "cache-control": "no-store" } });
}
