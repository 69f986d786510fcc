"use client";

import type { Delivery } from "@/trpc/types.ts";
import { formatDuration } from "../format.ts";

/** Above this share of the provider's timeout, a response is worth a warning. */
const WARN_SHARE = 0.5;

/** How long the response took, of the time that the provider waits for it. */
export function AckBudget({ delivery: { ackMs, facts, providerName } }: { delivery: Delivery }) {
  const timeout = facts?.ackTimeoutMs ?? null;
  if (timeout === null) return <>after {formatDuration(ackMs)}</>;
  const slow = ackMs >= timeout * WARN_SHARE;
  return (
    <span data-warn={slow || undefined} className="ack-budget">
      after {formatDuration(ackMs)} of the {timeout / 1000} s that {providerName} waits{slow && ": too close"}
    </span>
  );
}
