"use client";

import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { SignInDetail } from "./sign-in-detail.tsx";
import { resultWords } from "./words.ts";

const SECTION = [{ label: "Sign-ins", href: "/sign-ins" }];

/** One attempt to sign in. */
export function SignInPage({ id }: { id: string }) {
  const signIn = useQuery(useTRPC().signIns.get.queryOptions({ id }));
  if (signIn.isPending) return <RowsSkeleton rows={2} height={160} />;
  if (signIn.data === undefined) return <LoadError error={signIn.error} retry={signIn.refetch} />;
  return (
    <>
      <PageFrame
        title={resultWords(signIn.data)}
        crumbs={SECTION}
        environment={signIn.data.client?.environment ?? undefined}
      />
      <SignInDetail signIn={signIn.data} place="page" />
    </>
  );
}
