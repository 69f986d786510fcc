import type { Metadata } from "next";
import { ConfigurationPage } from "@/features/configuration/configuration-page.tsx";
import { requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Configuration · Settings" };

export default async function Configuration() {
  await requireRole("admin");
  return <ConfigurationPage />;
}
