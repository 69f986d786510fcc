"use client";

import clsx from "clsx";
import type { Column } from "@/components/table/columns.ts";
import { Timestamp } from "@/components/timestamp.tsx";
import type { DeliveryItem } from "@/trpc/types.ts";
import styles from "./delivery-columns.module.css";
import { cutMiddle, formatBytes, formatDuration } from "./format.ts";
import { HandlerState } from "./handler-state.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";
import { REASONS } from "./reasons.ts";

/** The columns of the list of deliveries. CO-53. */
export const DELIVERY_COLUMNS: readonly Column<DeliveryItem>[] = [
  { id: "time", title: "Time", time: true, render: ({ receivedAt }) => <Timestamp at={receivedAt} seconds brief /> },
  { id: "result", title: "Result", render: ({ outcome, status }) => <OutcomeMark outcome={outcome} status={status} /> },
  {
    id: "reason",
    title: "Reason",
    render: ({ outcome, reason }) => (
      <code className={clsx(styles["code"], outcome !== "rejected" && styles["muted"])} title={REASONS[reason].title}>
        {reason}
      </code>
    ),
  },
  {
    id: "type",
    title: "Event type",
    render: ({ eventType }) =>
      eventType === null ? (
        <Absent />
      ) : (
        <bdi className={styles["type"]} title={eventType}>
          {eventType}
        </bdi>
      ),
  },
  {
    id: "event",
    title: "Event ID",
    from: "wider",
    render: ({ eventId }) =>
      eventId === null ? (
        <Absent />
      ) : (
        <code className={styles["code"]} title={eventId}>
          <bdi>{cutMiddle(eventId, 18)}</bdi>
        </code>
      ),
  },
  { id: "provider", title: "Provider", render: (delivery) => <Source delivery={delivery} /> },
  {
    id: "handlers",
    title: "Handlers",
    from: "wide",
    render: ({ handlerState }) => <HandlerState state={handlerState} />,
  },
  {
    id: "response",
    title: "Response",
    numeric: true,
    from: "wider",
    render: ({ ackMs }) => <span className={styles["number"]}>{formatDuration(ackMs)}</span>,
  },
  {
    id: "size",
    title: "Size",
    numeric: true,
    from: "wider",
    render: ({ bodyBytes }) => <span className={styles["number"]}>{formatBytes(bodyBytes)}</span>,
  },
  {
    id: "secret",
    title: "Secret",
    from: "widest",
    render: ({ secretHint }) =>
      secretHint === null ? <Absent /> : <code className={styles["code"]}>…{secretHint}</code>,
  },
  { id: "address", title: "IP address", from: "widest", render: ({ address }) => address ?? <Absent /> },
];

/** "stripe", and for another endpoint than its default one, the endpoint too. */
function Source({
  delivery: { provider, endpoint, environment, source, mode, modeContradicts },
}: {
  delivery: DeliveryItem;
}) {
  const notes = [
    ...(endpoint === provider ? [] : [endpoint]),
    ...(environment === "production" ? [] : [environment]),
    ...(source === "http" ? [] : [source === "probe" ? "probe" : "recovered"]),
    ...(modeContradicts ? [`marked as ${mode === "test" ? "a test" : "live"}`] : []),
  ];
  return (
    <span className={styles["source"]}>
      {provider}
      {notes.length > 0 && <span className={styles["muted"]}> {notes.join(" · ")}</span>}
    </span>
  );
}

/** An empty cell. */
const Absent = () => <span className={styles["muted"]}>–</span>;
