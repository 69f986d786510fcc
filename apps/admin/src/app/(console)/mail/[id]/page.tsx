import type { Metadata } from "next";
import { MailPage } from "@/features/mail/mail-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Mail" };

export default async function OneMailPage({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    loadOrRedirect(queryClient.fetchQuery(trpc.mails.get.queryOptions({ id }))),
    queryClient.prefetchQuery(trpc.mails.status.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <MailPage id={id} />
    </HydrateClient>
  );
}
