import type { Metadata } from "next";
import { DoctorPage } from "@/features/doctor/doctor-page.tsx";
import { consoleData, HydrateClient, loadOrRedirect } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "Doctor" };

export default async function Doctor() {
  const { trpc, queryClient } = await consoleData();
  await loadOrRedirect(queryClient.fetchQuery(trpc.doctor.endpoints.queryOptions()));
  return (
    <HydrateClient>
      <DoctorPage />
    </HydrateClient>
  );
}
