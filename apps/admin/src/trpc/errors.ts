import { TRPCClientError } from "@trpc/client";
import { z } from "zod";

const shape = z.object({
  httpStatus: z.int().optional(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  stepUp: z.object({ maxAgeSeconds: z.int() }).optional(),
  missingScope: z.string().optional(),
});

function dataOf(error: unknown): z.infer<typeof shape> | undefined {
  return error instanceof TRPCClientError ? shape.safeParse(error.data).data : undefined;
}

/** The HTTP status of a failed request; undefined when there was no response. */
export function statusOf(error: unknown): number | undefined {
  return dataOf(error)?.httpStatus;
}

/** True if the user has to sign in again to do this: their sign-in is too long ago. */
export function needsFreshSignIn(error: unknown): boolean {
  return dataOf(error)?.stepUp !== undefined;
}

/** True if the session has ended, or began before an update added a scope that this request needs. */
export function needsSignIn(error: unknown): boolean {
  const data = dataOf(error);
  return (data?.httpStatus === 401 && data.stepUp === undefined) || data?.missingScope !== undefined;
}

/** A message to show to the user. */
export function messageOf(error: unknown): string {
  if (statusOf(error) === undefined) return "Can’t reach the Gatehouse server. Check that it is running, then try again.";
  return error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
}

/** Validation errors by field path, e.g. `{ "redirectUris.0": "…" }`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const problems = dataOf(error)?.problems ?? [];
  return Object.fromEntries(problems.filter(({ path }) => path !== "").map(({ path, message }) => [path, message]));
}
