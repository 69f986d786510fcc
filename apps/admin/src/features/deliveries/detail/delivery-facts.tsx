"use client";

import { CopyValue } from "@/components/copy-value.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatBytes } from "../format.ts";

/** The facts of a delivery, each under its name. */
export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { id, endpoint, eventId, address, bodyBytes, method, mode } = delivery;
  return (
    <Terms names="above" className="delivery-facts">
      <Term name="Endpoint">
        <CopyValue value={`/api/webhooks/${endpoint}`} what="endpoint path" />
      </Term>
      <Term name="Event ID">{eventId === null ? "None" : <CopyValue value={eventId} what="event ID" cut />}</Term>
      <Term name="Delivery ID">
        <CopyValue value={id} what="delivery ID" cut />
      </Term>
      <Term name="Request">
        {method}, {formatBytes(bodyBytes)}
      </Term>
      {mode !== null && <Term name="Marked as">{mode === "live" ? "Live" : "Test"}</Term>}
      <Term name="IP address">{address ?? "Unknown"}</Term>
    </Terms>
  );
}
