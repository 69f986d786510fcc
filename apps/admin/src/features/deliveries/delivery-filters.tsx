"use client";

import { DELIVERY_FILTERS } from "@gatehouse/console/lists/lists";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { HANDLER_STATES, handlerStates } from "./handler-state.tsx";
import { OUTCOMES, outcomes, REASONS, reasons } from "./reasons.ts";
import { useDeliveryFilters } from "./use-delivery-filters.ts";

const asOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** The chips above the list. The environment has a control of its own in the page's header. */
export function DeliveryFilters({ children }: { children: ReactNode }) {
  const { values, clear } = useDeliveryFilters();
  const { probes, ...others } = values;
  return (
    <FilterBar
      label="Filter deliveries"
      fields={useFields()}
      values={{ ...others, ...(probes !== "hidden" && { probes }) }}
      set={(name, value) => changeQuery({ [name]: value }, { push: true })}
      clear={clear}
    >
      {children}
    </FilterBar>
  );
}

function useFields(): FilterField[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.deliveries.facets.queryOptions());
  return [
    {
      name: "outcome",
      label: "Result",
      kind: "choice",
      options: outcomes.map((value) => ({ value, label: OUTCOMES[value].label })),
    },
    { name: "provider", label: "Provider", kind: "choice", options: asOptions(data?.providers ?? []) },
    { name: "endpoint", label: "Endpoint", kind: "choice", options: asOptions(data?.endpoints ?? []) },
    {
      name: "reason",
      label: "Reason",
      kind: "choice",
      options: reasons.map((value) => ({ value, label: REASONS[value].title })),
    },
    { name: "eventType", label: "Event type", kind: "choice", options: asOptions(data?.eventTypes ?? []) },
    { name: "eventId", label: "Event ID", kind: "text", maxLength: DELIVERY_FILTERS.eventId.maxLength },
    {
      name: "handlerState",
      label: "Handlers",
      kind: "choice",
      options: handlerStates.map((value) => ({ value, label: HANDLER_STATES[value].label })),
    },
    {
      name: "probes",
      label: "Doctor’s probes",
      verb: "are",
      kind: "choice",
      options: [
        { value: "shown", label: "Shown" },
        { value: "only", label: "Shown alone" },
      ],
    },
    { name: "from", label: "From", kind: "instant" },
    { name: "to", label: "To", kind: "instant" },
  ];
}
