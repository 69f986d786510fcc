import { TRPCClientError } from "@trpc/client";
import { z } from "zod";

const shape = z.object({
  httpStatus: z.int().optional(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

/** The HTTP status that a data request was answered with; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof TRPCClientError ? shape.safeParse(error.data).data?.httpStatus : undefined;
}

/** In words, for the person. */
export function messageOf(error: unknown): string {
  if (statusOf(error) === undefined) return "The Gatehouse server did not answer. Check that it is running, then try again.";
  return error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
}

/** What the server says about single fields, by path, e.g. `{ "redirectUris.0": "…" }`. */
export function problemsOf(error: unknown): Record<string, string> {
  const problems = error instanceof TRPCClientError ? (shape.safeParse(error.data).data?.problems ?? []) : [];
  return Object.fromEntries(problems.filter(({ path }) => path !== "").map(({ path, message }) => [path, message]));
}
