import { History } from "@/features/audit/history.tsx";
import type { Delivery } from "@/trpc/types.ts";

/** Who looked at the delivery's payload, or ran it again. CO-66. */
export function HistoryTab({ delivery }: { delivery: Delivery }) {
  return <History object={delivery.id} />;
}
