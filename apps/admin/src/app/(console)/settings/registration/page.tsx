import type { Metadata } from "next";
import { RegistrationSettings } from "@/features/settings/registration.tsx";
import { consoleData, HydrateClient, loadOrRedirect, requireRole } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Registration · Settings" };

export default async function RegistrationPage() {
  await requireRole("admin");
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.settings.list.queryOptions()));
  return (
    <HydrateClient>
      <RegistrationSettings />
    </HydrateClient>
  );
}
