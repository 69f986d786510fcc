import type { DeliveryFilter } from "@gatehouse/console/lists/lists";
import { startingEnvironment } from "@/components/starting-environment.ts";

/**
 * The filters that the list of deliveries starts with: probes of the doctor are hidden, unless the URL names the event.
 */
export function startingFilters(
  issuer: string,
  eventId: string | null | undefined,
): Pick<DeliveryFilter, "environment" | "probes"> {
  return { ...startingEnvironment(issuer), ...(!eventId && { probes: "hidden" as const }) };
}
