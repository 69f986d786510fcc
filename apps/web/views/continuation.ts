import type { Continuation } from "@gatehouse/accounts";

/** The continuation as a query string, for links between the pages of a sign-in. */
export function continuationQuery({ request, next }: Continuation, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more);
  if (request !== undefined) query.set("request", request);
  if (next !== undefined) query.set("next", next);
  return query.size > 0 ? `?${query}` : "";
}

/** "Keep me signed in" as a field of the next form. SN-02. */
export const keepField = (keep: boolean) => (keep ? "on" : "no");
