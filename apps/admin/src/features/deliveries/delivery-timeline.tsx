"use client";

import { Anchor, Text, Timeline } from "@mantine/core";
import { IconCheck, IconDatabase, IconDownload, IconSend, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatDuration } from "./delivery-table.tsx";
import { REASONS } from "./reasons.ts";

/** What happened, from receiving the request to responding. */
export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, receivedAt, ackMs, status, skewSeconds, event, id } = delivery;
  const good = outcome !== "rejected";
  return (
    <Timeline active={3} bulletSize={26} lineWidth={2} color="gray.6">
      <Timeline.Item title="Received" bullet={<IconDownload size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          <Timestamp at={receivedAt} seconds />
        </Text>
      </Timeline.Item>
      <Timeline.Item
        color={good ? "teal" : "red"}
        title={REASONS[reason].title}
        bullet={good ? <IconCheck size={14} aria-hidden="true" /> : <IconX size={14} aria-hidden="true" />}
      >
        {skewSeconds !== null && (
          <Text size="sm" c="dimmed">
            {formatSkew(skewSeconds)}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item title={good ? "Stored" : "Recorded"} bullet={<IconDatabase size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          {event && event.firstDeliveryId !== id ? (
            <>
              This event was already stored.{" "}
              <Anchor component={Link} href={`/deliveries/${event.firstDeliveryId}`} size="sm">
                See the first delivery
              </Anchor>
            </>
          ) : good ? (
            "Written to disk before the response was sent"
          ) : (
            "Kept in this log only; the event was not processed"
          )}
        </Text>
      </Timeline.Item>
      <Timeline.Item title={`Responded with ${status}`} bullet={<IconSend size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          After {formatDuration(ackMs)}
        </Text>
      </Timeline.Item>
    </Timeline>
  );
}

function formatSkew(seconds: number): string {
  const rounded = Math.abs(Math.round(seconds));
  if (rounded === 0) return "Signed at the current time by this server’s clock";
  return `Signed ${rounded} s ${seconds < 0 ? "before" : "after"} the current time by this server’s clock`;
}
