"use client";

import type { ReactNode } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatBytes } from "../format.ts";

/** The facts of a delivery, each under its name. */
export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { id, endpoint, eventId, address, bodyBytes, method, mode } = delivery;
  return (
    <dl className="facts">
      <Fact name="Endpoint">
        <CopyValue value={`/api/webhooks/${endpoint}`} what="endpoint path" />
      </Fact>
      <Fact name="Event ID">{eventId === null ? "None" : <CopyValue value={eventId} what="event ID" cut />}</Fact>
      <Fact name="Delivery ID">
        <CopyValue value={id} what="delivery ID" cut />
      </Fact>
      <Fact name="Request">
        {method}, {formatBytes(bodyBytes)}
      </Fact>
      {mode !== null && <Fact name="Marked as">{mode === "live" ? "Live" : "Test"}</Fact>}
      <Fact name="IP address">{address ?? "Unknown"}</Fact>
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
