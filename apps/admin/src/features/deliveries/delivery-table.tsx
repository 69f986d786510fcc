"use client";

import { Anchor } from "@mantine/core";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { CSSProperties } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import type { DeliveryItem } from "@/trpc/types.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** "2.3 kB"; a dash when the size is unknown because reading stopped early. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "–";
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** "40 ms". */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1 ? "< 1 ms" : `${Math.round(milliseconds)} ms`;
}

/** Mutes a reason that only repeats the result. */
const REASON_STYLES: Partial<Record<DeliveryItem["outcome"], CSSProperties>> = {
  accepted: { color: "var(--gh-text-muted)" },
  duplicate: { color: "var(--gh-text-muted)" },
};

/** Wide enough for the response time, and for the columns after it. The page of a delivery always shows them. */
const MEDIUM = "(min-width: 80em)";
const WIDE = "(min-width: 88em)";

/** A click anywhere on a row opens the delivery. For keyboards and screen readers, the time is a link. */
export function DeliveryTable({ deliveries }: { deliveries: DeliveryItem[] }) {
  const router = useRouter();
  return (
    <DataTable
      records={deliveries}
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
              <Timestamp at={receivedAt} seconds brief />
            </Anchor>
          ),
        },
        { accessor: "outcome", title: "Result", render: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
        { accessor: "eventType", title: "Event type", render: ({ eventType }) => eventType ?? "–" },
        { accessor: "reason", noWrap: true, render: ({ outcome, reason }) => <code style={REASON_STYLES[outcome]}>{reason}</code> },
        { accessor: "provider", noWrap: true },
        {
          accessor: "eventId",
          title: "Event ID",
          width: 140,
          ellipsis: true,
          render: ({ eventId }) => <span title={eventId ?? ""}>{eventId ?? "–"}</span>,
        },
        {
          accessor: "ackMs",
          title: "Response time",
          textAlign: "right",
          noWrap: true,
          visibleMediaQuery: MEDIUM,
          render: ({ ackMs }) => formatDuration(ackMs),
        },
        {
          accessor: "bodyBytes",
          title: "Size",
          textAlign: "right",
          noWrap: true,
          visibleMediaQuery: WIDE,
          render: ({ bodyBytes }) => formatBytes(bodyBytes),
        },
        { accessor: "address", title: "IP address", noWrap: true, visibleMediaQuery: WIDE, render: ({ address }) => address ?? "–" },
      ]}
    />
  );
}
