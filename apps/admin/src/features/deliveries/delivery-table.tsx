"use client";

import { Checkbox } from "@mantine/core";
import clsx from "clsx";
import Link from "next/link";
import type { MouseEvent } from "react";
import type { Selection } from "@/components/table/use-selection.ts";
import { Timestamp } from "@/components/timestamp.tsx";
import type { DeliveryItem } from "@/trpc/types.ts";
import styles from "./delivery-table.module.css";
import { cutMiddle, formatBytes, formatDuration } from "./format.ts";
import { HandlerState } from "./handler-state.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";

type Props = {
  deliveries: readonly DeliveryItem[];
  /** The row that the peek panel shows. */
  openId: string | null;
  open: (id: string) => void;
  /** Undefined where the user may not act on deliveries. */
  selection: Selection | undefined;
};

/** The id of a row's link, which the keys J and K move between. */
export const rowLinkId = (id: string) => `delivery-${id}`;

/** Opens rows in place. A modified click opens the delivery's page in a new tab, as for any link. */
export function DeliveryTable({ deliveries, openId, open, selection }: Props) {
  return (
    <div className={styles["container"]}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll, so keyboard users must be able to focus it */}
      <section className={styles["frame"]} aria-label="Deliveries" tabIndex={0}>
        <table className={styles["table"]}>
          <thead>
            <tr>
              {selection && (
                <th className={styles["select"]}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all on this page"
                    checked={selection.all}
                    indeterminate={selection.some && !selection.all}
                    onChange={selection.toggleAll}
                  />
                </th>
              )}
              <th>Time</th>
              <th>Result</th>
              <th className={styles["reason"]}>Reason</th>
              <th>Event type</th>
              <th className={styles["event-id"]}>Event ID</th>
              <th>Provider</th>
              <th className={styles["handlers"]}>Handlers</th>
              <th className={clsx(styles["response"], styles["number"])}>Response</th>
              <th className={clsx(styles["size"], styles["number"])}>Size</th>
              <th className={styles["secret"]}>Secret</th>
              <th className={styles["address"]}>IP address</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} opened={delivery.id === openId} open={open} selection={selection} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

type RowProps = { delivery: DeliveryItem; opened: boolean; open: Props["open"]; selection: Selection | undefined };

function Row({ delivery, opened, open, selection }: RowProps) {
  const { id, receivedAt, outcome, reason, status, eventType, eventId, handlerState, ackMs, bodyBytes, secretHint, address } = delivery;
  const openHere = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(id);
  };
  return (
    <tr className={styles["row"]} aria-current={opened ? "true" : undefined} onClick={openHere}>
      {selection && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click beside the checkbox from opening the row
        <td className={styles["select"]} onClick={(event) => event.stopPropagation()}>
          <Checkbox
            size="xs"
            aria-label={`Select ${eventType ?? "delivery"} ${eventId ?? id}`}
            checked={selection.isSelected(id)}
            onChange={() => selection.toggle(id)}
          />
        </td>
      )}
      <td>
        <Link id={rowLinkId(id)} href={`/deliveries/${id}`} prefetch={false} className={styles["link"]}>
          <Timestamp at={receivedAt} seconds brief />
        </Link>
      </td>
      <td>
        <OutcomeMark outcome={outcome} status={status} />
      </td>
      <td className={styles["reason"]}>
        <code className={clsx(outcome !== "rejected" && styles["muted"])}>{reason}</code>
      </td>
      <td className={styles["type"]}>{eventType === null ? <Absent /> : <bdi title={eventType}>{eventType}</bdi>}</td>
      <td className={styles["event-id"]}>
        {eventId === null ? (
          <Absent />
        ) : (
          <code title={eventId}>
            <bdi>{cutMiddle(eventId, 18)}</bdi>
          </code>
        )}
      </td>
      <td>
        <Source delivery={delivery} />
      </td>
      <td className={styles["handlers"]}>
        <HandlerState state={handlerState} />
      </td>
      <td className={clsx(styles["response"], styles["number"])}>{formatDuration(ackMs)}</td>
      <td className={clsx(styles["size"], styles["number"])}>{formatBytes(bodyBytes)}</td>
      <td className={styles["secret"]}>{secretHint === null ? <Absent /> : <code>…{secretHint}</code>}</td>
      <td className={styles["address"]}>{address ?? <Absent />}</td>
    </tr>
  );
}

/** "stripe", and for another endpoint than its default one, the endpoint too. */
function Source({ delivery: { provider, endpoint, environment, source, mode, modeContradicts } }: { delivery: DeliveryItem }) {
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
