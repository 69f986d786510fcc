import type { Metadata } from "next";
import { KeysPage } from "@/features/keys/keys-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Signing keys" };

export default async function Keys() {
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.keys.list.queryOptions()));
  return (
    <HydrateClient>
      <KeysPage />
    </HydrateClient>
  );
}
