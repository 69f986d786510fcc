import type { Metadata } from "next";
import { FailurePage } from "@/features/failures/failure-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

type Props = { params: Promise<{ errorId: string }> };

export const metadata: Metadata = { title: "Failure · Failures" };

export default async function Page({ params }: Props) {
  const { errorId } = await params;
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.refusals.one.queryOptions({ errorId })));
  return (
    <HydrateClient>
      <FailurePage errorId={errorId} />
    </HydrateClient>
  );
}
