import { ERRORS, type RefusalCause } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { findNewestRefusal } from "../overview/first-step-queries.ts";
import { findClientRow } from "./queries.ts";
import { lastTokens } from "./usage-queries.ts";

/** `tokenAt`: when the client last got a token, Unix seconds; null if it never did. */
export type FirstUse = {
  tokenAt: number | null;
  /** Its newest refusal in the last ten minutes. */
  refusal: {
    errorId: string;
    cause: RefusalCause;
    at: number;
    endpoint: string;
    sentence: string;
    howToFix: string;
  } | null;
};

const RECENT_SECONDS = 10 * 60;

/** Whether a client got its first token, or why it was refused. Throws `not_found`. CO-16. */
export async function getFirstUse(
  clientId: string,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<FirstUse> {
  const [client, tokens, refusal] = await Promise.all([
    findClientRow(reads, clientId),
    lastTokens(reads, [clientId]),
    findNewestRefusal(reads, clientId, now() - RECENT_SECONDS),
  ]);
  if (!client) throw new DomainError("not_found", "There is no such client.");
  const { when: sentence = "", howToFix = "" } = refusal ? ERRORS[refusal.cause] : {};
  return { tokenAt: tokens[0]?.lastTokenAt ?? null, refusal: refusal ? { ...refusal, sentence, howToFix } : null };
}
