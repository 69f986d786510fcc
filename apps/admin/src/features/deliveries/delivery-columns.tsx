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

/** The columns of the list of deliveries. Those that are shown at first fit a window of 1440 px. CO-53. */
export const DELIVERY_COLUMNS: readonly Column<DeliveryItem>[] = [
  {
    id: "time",
    title: "Time",
    width: 140,
    time: true,
    render: ({ receivedAt }) => <Timestamp at={receivedAt} seconds brief />,
  },
  {
    id: "result",
    title: "Result",
    width: 135,
    render: ({ outcome, status }) => <OutcomeMark outcome={outcome} status={status} />,
  },
  {
    id: "reason",
    title: "Reason",
    width: 180,
    from: "medium",
    render: ({ outcome, reason }) => (
      <code
        className={clsx(styles["code"], styles["cut"], outcome !== "rejected" && styles["muted"])}
        title={REASONS[reason].title}
      >
        {reason}
      </code>
    ),
  },
  {
    id: "type",
    title: "Event type",
    width: 235,
    render: ({ eventType }) =>
      eventType === null ? (
        <Absent />
      ) : (
        <bdi className={styles["cut"]} title={eventType}>
          {eventType}
        </bdi>
      ),
  },
  {
    id: "event",
    title: "Event ID",
    width: 165,
    from: "wider",
    render: ({ eventId }) =>
      eventId === null ? (
        <Absent />
      ) : (
        <code className={clsx(styles["code"], styles["cut"])} title={eventId}>
          <bdi>{cutMiddle(eventId, 18)}</bdi>
        </code>
      ),
  },
  {
    id: "provider",
    title: "Provider",
    width: 125,
    from: "medium",
    render: (delivery) => <Source delivery={delivery} />,
  },
  {
    id: "handlers",
    title: "Handlers",
    width: 105,
    from: "wide",
    render: ({ handlerState }) => <HandlerState state={handlerState} />,
  },
  {
    id: "response",
    title: "Response",
    width: 85,
    numeric: true,
    from: "wider",
    render: ({ ackMs }) => <span className={styles["number"]}>{formatDuration(ackMs)}</span>,
  },
  {
    id: "size",
    title: "Size",
    width: 80,
    numeric: true,
    optional: true,
    render: ({ bodyBytes }) => <span className={styles["number"]}>{formatBytes(bodyBytes)}</span>,
  },
  {
    id: "secret",
    title: "Secret",
    width: 80,
    optional: true,
    render: ({ secretHint }) =>
      secretHint === null ? <Absent /> : <code className={styles["code"]}>…{secretHint}</code>,
  },
  {
    id: "address",
    title: "IP address",
    width: 130,
    optional: true,
    render: ({ address }) =>
      address === null ? (
        <Absent />
      ) : (
        <span className={styles["cut"]} title={address}>
          {address}
        </span>
      ),
  },
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
    <span className={styles["cut"]} title={notes.length > 0 ? `${provider} ${notes.join(" · ")}` : undefined}>
      {provider}
      {notes.length > 0 && <span className={styles["muted"]}> {notes.join(" · ")}</span>}
    </span>
  );
}

/** An empty cell. */
const Absent = () => <span className={styles["muted"]}>–</span>;
