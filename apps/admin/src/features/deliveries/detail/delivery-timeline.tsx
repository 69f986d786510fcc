"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatDuration } from "../delivery-table.tsx";
import { REASONS } from "../reasons.ts";

/** What happened, from receiving the request to responding. */
export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, receivedAt, ackMs, status, event, id } = delivery;
  const rejected = outcome === "rejected";
  return (
    <ol className="timeline">
      <Step title="Received">
        <Timestamp at={receivedAt} seconds />
      </Step>
      <Step title={rejected ? "Rejected" : "Verified"} state={rejected ? "bad" : "good"}>
        {rejected ? REASONS[reason].title : "The signature matches an active secret"}
      </Step>
      <Step title={rejected ? "Logged" : "Stored"}>
        {event && event.firstDeliveryId !== id ? (
          <>
            This event was already stored.{" "}
            <Anchor component={Link} href={`/deliveries/${event.firstDeliveryId}`} size="xs">
              See the first delivery
            </Anchor>
          </>
        ) : rejected ? (
          "In this log only; no handler runs"
        ) : (
          "On disk before the response was sent"
        )}
      </Step>
      <Step title={`Answered ${status}`}>after {formatDuration(ackMs)}</Step>
    </ol>
  );
}

type StepProps = { title: ReactNode; state?: "good" | "bad" | "waiting"; children?: ReactNode };

/** One step of the timeline. */
export function Step({ title, state, children }: StepProps) {
  return (
    <li data-state={state}>
      <span className="timeline-title">{title}</span>
      <span className="timeline-text">{children}</span>
    </li>
  );
}
