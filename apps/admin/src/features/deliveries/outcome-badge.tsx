import { Badge } from "@mantine/core";
import type { DeliveryOutcome } from "@/trpc/types.ts";
import { OUTCOMES } from "./reasons.ts";

export function OutcomeBadge({ outcome }: { outcome: DeliveryOutcome }) {
  const { label, color } = OUTCOMES[outcome];
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {label}
    </Badge>
  );
}
