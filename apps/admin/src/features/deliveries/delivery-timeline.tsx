"use client";

import { Anchor, Text, Timeline } from "@mantine/core";
import { IconCheck, IconDatabase, IconDownload, IconSend, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { Instant } from "@/components/instant.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { duration } from "./delivery-table.tsx";
import { VERDICTS } from "./verdicts.ts";

/** From the first byte to the answer. */
export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, receivedAt, ackMs, status, skewSeconds, event, id } = delivery;
  const good = outcome !== "rejected";
  return (
    <Timeline active={3} bulletSize={26} lineWidth={2} color="gray.6">
      <Timeline.Item title="Received" bullet={<IconDownload size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          <Instant at={receivedAt} seconds />
        </Text>
      </Timeline.Item>
      <Timeline.Item
        color={good ? "teal" : "red"}
        title={VERDICTS[reason].title}
        bullet={good ? <IconCheck size={14} aria-hidden="true" /> : <IconX size={14} aria-hidden="true" />}
      >
        {skewSeconds !== null && (
          <Text size="sm" c="dimmed">
            {skewInWords(skewSeconds)}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item title={good ? "Stored" : "Recorded"} bullet={<IconDatabase size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          {event && event.firstDeliveryId !== id ? (
            <>
              Nothing was done again:{" "}
              <Anchor component={Link} href={`/deliveries/${event.firstDeliveryId}`} size="sm">
                see the first delivery
              </Anchor>
            </>
          ) : good ? (
            "On disk before the answer left"
          ) : (
            "For this page; nothing else was done"
          )}
        </Text>
      </Timeline.Item>
      <Timeline.Item title={`Answered with ${status}`} bullet={<IconSend size={14} aria-hidden="true" />}>
        <Text size="sm" c="dimmed">
          After {duration(ackMs)}
        </Text>
      </Timeline.Item>
    </Timeline>
  );
}

function skewInWords(seconds: number): string {
  const rounded = Math.abs(Math.round(seconds));
  if (rounded === 0) return "Signed in the same second by this server’s clock";
  return `Signed ${rounded} s ${seconds < 0 ? "before" : "after"} this server’s clock`;
}
