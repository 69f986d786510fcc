import type { Metadata } from "next";
import { entryKeyOf } from "@/features/audit/entry-key.ts";
import { EntryPage } from "@/features/audit/entry-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditEntryPage({ params }: { params: Promise<{ number: string }> }) {
  const entryKey = entryKeyOf(decodeURIComponent((await params).number));
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.audit.get.queryOptions(entryKey)));
  return (
    <HydrateClient>
      <EntryPage entryKey={entryKey} />
    </HydrateClient>
  );
}
