"use client";

import { Anchor } from "@mantine/core";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { CSSProperties } from "react";
import { Instant } from "@/components/instant.tsx";
import type { DeliveryItem } from "@/trpc/types.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** "2.3 kB"; a dash when the body was not read to its end. */
export function size(bytes: number | null): string {
  if (bytes === null) return "–";
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** "40 ms"; whole ones are kept. */
export function duration(milliseconds: number): string {
  return milliseconds < 1 ? "< 1 ms" : `${Math.round(milliseconds)} ms`;
}

/** A reason that only repeats the result steps back. */
const QUIET: Partial<Record<DeliveryItem["outcome"], CSSProperties>> = {
  accepted: { color: "var(--gh-text-muted)" },
  duplicate: { color: "var(--gh-text-muted)" },
};

/** Where the last columns fit beside the navigation; each delivery has a page that shows them always. */
const ROOMY = "(min-width: 88em)";

/** A click anywhere on a row opens it; the time is the link for keyboards and screen readers. */
export function DeliveryTable({ items }: { items: DeliveryItem[] }) {
  const router = useRouter();
  return (
    <DataTable
      records={items}
      withTableBorder
      borderRadius="md"
      highlightOnHover
      verticalSpacing="xs"
      horizontalSpacing="xs"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Deliveries", role: "region" } }}
      onRowClick={({ record }) => router.push(`/deliveries/${record.id}`)}
      columns={[
        {
          accessor: "receivedAt",
          title: "Time",
          noWrap: true,
          render: ({ id, receivedAt }) => (
            <Anchor component={Link} href={`/deliveries/${id}`} size="sm">
              <Instant at={receivedAt} seconds brief />
            </Anchor>
          ),
        },
        { accessor: "outcome", title: "Result", render: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
        { accessor: "eventType", title: "Event type", render: ({ eventType }) => eventType ?? "–" },
        { accessor: "reason", noWrap: true, render: ({ outcome, reason }) => <code style={QUIET[outcome]}>{reason}</code> },
        { accessor: "provider", noWrap: true },
        {
          accessor: "eventId",
          title: "Event id",
          width: 140,
          ellipsis: true,
          render: ({ eventId }) => <span title={eventId ?? ""}>{eventId ?? "–"}</span>,
        },
        { accessor: "ackMs", title: "Answer", textAlign: "right", noWrap: true, render: ({ ackMs }) => duration(ackMs) },
        {
          accessor: "bodyBytes",
          title: "Size",
          textAlign: "right",
          noWrap: true,
          visibleMediaQuery: ROOMY,
          render: ({ bodyBytes }) => size(bodyBytes),
        },
        { accessor: "address", title: "Source", noWrap: true, visibleMediaQuery: ROOMY, render: ({ address }) => address ?? "–" },
      ]}
    />
  );
}
