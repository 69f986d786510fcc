import type { useTRPC } from "@/trpc/client.tsx";
import type { DeliveryAttempts } from "@/trpc/types.ts";

/** While a handler waits or runs, its attempts are asked for again. */
const POLL_MS = 2_000;

/** The attempts of a delivery; refreshes by itself until every handler has finished. */
export function attemptsQuery(trpc: ReturnType<typeof useTRPC>, id: string) {
  return trpc.deliveries.attempts.queryOptions(
    { id },
    { refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false) },
  );
}

/** True if a handler runs or is about to. One that waits for a later retry does not count. */
function isUnderWay(attempts: DeliveryAttempts | undefined): boolean {
  const soon = Date.now() / 1000 + 10;
  return (
    attempts?.handlers.some(({ state, nextAt }) => state === "running" || (nextAt !== null && nextAt < soon)) ?? false
  );
}

export const HANDLER_STATES: Record<DeliveryAttempts["handlers"][number]["state"], string> = {
  waiting: "Waiting since",
  running: "Running",
  retrying: "Failed, next try",
  handled: "Handled",
  failed: "Failed",
  dead: "Failed for good: no more tries by itself",
};

/** What a handler is called; forwarding is none of the product's handlers. PK-56. */
export const handlerName = (name: string, kind: DeliveryAttempts["handlers"][number]["kind"]) =>
  kind === "forwarding" ? "Forwarding" : name;

/** The same states, of an event that is sent to the product. */
export const FORWARDING_STATES: typeof HANDLER_STATES = {
  ...HANDLER_STATES,
  running: "Being sent",
  handled: "Accepted by your product",
  dead: "Failed for good: not sent any more by itself",
};

export const TRIGGERS: Record<DeliveryAttempts["attempts"][number]["trigger"], string> = {
  initial: "First try",
  automatic: "Automatic retry",
  manual: "Run again",
  bulk: "Run again, in a selection",
};

export const OUTCOME_WORDS: Record<DeliveryAttempts["attempts"][number]["outcome"], string> = {
  ok: "Succeeded",
  error: "Failed",
  timeout: "Timed out",
};
