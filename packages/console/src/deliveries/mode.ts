import { contradicts } from "@gatehouse/webhooks";
import type { DeliveryRow } from "./queries.ts";

type Marked = Pick<DeliveryRow, "mode" | "environment" | "outcome" | "source">;

/**
 * Whether the provider marks a delivery as a test that arrived in production, or as live elsewhere. Anybody can mark a
 * rejected one, and a probe is made here.
 */
export function modeContradicts({ mode, environment, outcome, source }: Marked): boolean {
  return outcome !== "rejected" && source !== "probe" && contradicts(mode, environment);
}
