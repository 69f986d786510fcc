"use client";

import { DELIVERY_FILTERS } from "@gatehouse/console/lists/lists";
import { useStartingEnvironment } from "@/components/installation.tsx";
import { useFilters } from "@/components/use-filters.ts";

/** The filters of the list of deliveries, in the URL. */
export const useDeliveryFilters = () => useFilters(DELIVERY_FILTERS, useStartingEnvironment());
