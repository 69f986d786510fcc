"use client";

import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { EntryDetail } from "./entry-detail.tsx";
import type { EntryKey } from "./entry-key.ts";
import { actionWords } from "./words.ts";

/** One row of the audit log. */
export function EntryPage({ entryKey }: { entryKey: EntryKey }) {
  const trpc = useTRPC();
  const { data, error, refetch, isPending } = useQuery(trpc.audit.get.queryOptions(entryKey));
  if (isPending) return <RowsSkeleton rows={2} height={160} />;
  if (data === undefined) return <LoadError error={error} retry={refetch} />;
  return (
    <>
      <PageFrame
        title={`${actionWords(data.action)} ${data.objectName ?? data.object}`}
        crumbs={[{ label: "Audit log", href: "/audit" }]}
        environment={data.environment ?? undefined}
      />
      <EntryDetail entry={data} place="page" />
    </>
  );
}
