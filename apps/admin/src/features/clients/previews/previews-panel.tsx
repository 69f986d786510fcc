"use client";

import type { PanelProps } from "../client-tabs.tsx";
import { Previews } from "./previews.tsx";

export function PreviewsPanel({ client, issuer }: PanelProps) {
  return <Previews key={client.clientId} client={client} issuer={issuer} />;
}
