"use client";

import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { MailDetail } from "./mail-detail.tsx";
import { kindInWords } from "./mail-words.ts";

/** One mail of the outbox. */
export function MailPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch, isPending } = useQuery(trpc.mails.get.queryOptions({ id }));
  if (isPending) return <RowsSkeleton rows={2} height={160} />;
  if (data === undefined) return <LoadError error={error} retry={refetch} />;
  return (
    <>
      <PageFrame title={kindInWords(data.kind)} crumbs={[{ label: "Mail", href: "/mail" }]} />
      <MailDetail mail={data} place="page" />
    </>
  );
}
