import type { Problem } from "@gatehouse/sdk/next";
import { seeOther } from "./redirects.ts";

/** The page for a sign-in or a sign-out that failed. */
export function problemPage({ reason, errorId, tryAgain }: Problem): Response {
  const query = new URLSearchParams({ reason, again: tryAgain, ...(errorId !== undefined && { error_id: errorId }) });
  return seeOther(`/sign-in-problem?${query}`);
}
