import type { Metadata } from "next";
import { Mailbox } from "@/features/mailbox/mailbox.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Mailbox" };

export default async function MailboxPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.mails.mailbox.queryOptions()));
  return (
    <HydrateClient>
      <Mailbox />
    </HydrateClient>
  );
}
