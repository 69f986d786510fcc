import type { Metadata } from "next";
import { SignInPage } from "@/features/sign-ins/sign-in-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Sign-in" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.signIns.get.queryOptions({ id })));
  return (
    <HydrateClient>
      <SignInPage id={id} />
    </HydrateClient>
  );
}
