import type { Metadata } from "next";
import { pageTitle } from "@/components/page-title.ts";
import { NewResource } from "@/features/resources/resource-page.tsx";
import { requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: pageTitle({ title: "New API resource", section: "API resources" }) };

export default async function New() {
  await requireRole("admin");
  return <NewResource />;
}
