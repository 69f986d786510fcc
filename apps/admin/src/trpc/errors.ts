import { TRPCClientError } from "@trpc/client";
import { z } from "zod";

const shape = z.object({
  httpStatus: z.int().optional(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

/** The HTTP status of a failed request; undefined when there was no response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof TRPCClientError ? shape.safeParse(error.data).data?.httpStatus : undefined;
}

/** A message to show to the user. */
export function messageOf(error: unknown): string {
  if (statusOf(error) === undefined) return "Can’t reach the Gatehouse server. Check that it is running, then try again.";
  return error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
}

/** Validation errors by field path, e.g. `{ "redirectUris.0": "…" }`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const problems = error instanceof TRPCClientError ? (shape.safeParse(error.data).data?.problems ?? []) : [];
  return Object.fromEntries(problems.filter(({ path }) => path !== "").map(({ path, message }) => [path, message]));
}
