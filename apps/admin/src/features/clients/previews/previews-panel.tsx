"use client";

import dynamic from "next/dynamic";
import { RowsSkeleton } from "@/components/state.tsx";
import type { PanelProps } from "../client-tabs.tsx";

const Previews = dynamic(() => import("./previews.tsx").then((module) => module.Previews), { loading: () => <RowsSkeleton rows={3} /> });

export function PreviewsPanel({ client, issuer }: PanelProps) {
  return <Previews key={client.clientId} client={client} issuer={issuer} />;
}
