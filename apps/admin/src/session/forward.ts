import { NextResponse } from "next/server";

const PASSED_ON = ["content-type", "vary", "retry-after", "gatehouse-error-id"];

const PROCEDURES = /^[a-z]+\.[a-z]+(?:,[a-z]+\.[a-z]+)*$/i;

/** Names of procedures, as /trpc takes them; never a dot segment, which would lead out of there with the token. */
export function isProcedures(path: string): boolean {
  return path.length <= 2000 && PROCEDURES.test(path);
}

/** Sends one data request to the server with the user's token. The answer is streamed back, never cached. */
export async function forward(
  url: string,
  { method, body, accessToken }: { method: string; body: ArrayBuffer | null; accessToken: string },
): Promise<NextResponse> {
  const answer = await fetch(url, {
    method,
    body,
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
    },
    cache: "no-store",
    redirect: "manual",
  });
  const headers = new Headers({ "cache-control": "no-store" });
  for (const name of PASSED_ON) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new NextResponse(answer.body, { status: answer.status, headers });
}

/** An error of our own in the shape that the tRPC client reads. */
export function refusal(httpStatus: number, code: string, message: string): Response {
  const error = { message, code: -32603, data: { code, httpStatus } };
  return Response.json({ error }, { status: httpStatus, headers: { "cache-control": "no-store" } });
}
