"use client";

import { DELIVERY_FILTERS } from "@gatehouse/console/lists/lists";
import { useSearchParams } from "next/navigation";
import { useInstallation } from "@/components/installation.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { startingFilters } from "./starting-filters.ts";

/** The filters of the list of deliveries, in the URL. */
export function useDeliveryFilters() {
  const { issuer } = useInstallation();
  return useFilters(DELIVERY_FILTERS, startingFilters(issuer, useSearchParams().get("eventId")));
}
