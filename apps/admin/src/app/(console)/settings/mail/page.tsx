import type { Metadata } from "next";
import { MailSettings } from "@/features/settings/mail.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Mail · Settings" };

export default async function MailPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.settings.list.queryOptions()));
  return (
    <HydrateClient>
      <MailSettings />
    </HydrateClient>
  );
}
