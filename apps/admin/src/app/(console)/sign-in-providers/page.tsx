import type { Metadata } from "next";
import { env } from "@/env.ts";
import { ProviderList } from "@/features/sign-in-providers/provider-list.tsx";
import { consoleData, HydrateClient } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Sign-in providers" };

export default async function SignInProvidersPage() {
  const { trpc, queryClient } = await consoleData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.signInProviders.list.queryOptions()),
    queryClient.prefetchQuery(trpc.signInProviders.presets.queryOptions()),
  ]);
  return (
    <HydrateClient>
      <ProviderList issuer={env().issuer} />
    </HydrateClient>
  );
}
