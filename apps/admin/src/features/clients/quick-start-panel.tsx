import { QuickStart } from "@/features/quick-start/quick-start.tsx";
import type { PanelProps } from "./client-tabs.tsx";

export function QuickStartPanel({ client, issuer }: PanelProps) {
  return <QuickStart client={client} issuer={issuer} />;
}
