import { History } from "@/features/audit/history.tsx";
import type { PanelProps } from "./panel.ts";

/** What was done to the application and to this client. CO-66. */
export function HistoryPanel({ application, client }: PanelProps) {
  return <History object={[application.id, client.clientId]} />;
}
