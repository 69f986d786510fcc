"use client";

import { Stack } from "@mantine/core";
import { DangerZone } from "@/components/danger-zone.tsx";
import { useCanManage } from "@/components/me.tsx";
import { BrandingSection } from "@/features/branding/branding-section.tsx";
import { RemoveClient } from "@/features/clients/remove-client.tsx";
import type { Application, ClientView } from "@/trpc/types.ts";
import { RemoveApplication } from "./remove-application.tsx";

type Props = { application: Application; client: ClientView | undefined };

/** What concerns all clients of the application, below the settings of the selected one; and what ends either. */
export function OfApplication({ application, client }: Props) {
  const hasProduction = application.clients.some(({ environment }) => environment === "production");
  const { hide, reason } = useCanManage(hasProduction ? "production" : "development");
  const ofClient = useCanManage(client?.environment ?? "development");
  if (hide) return null;
  return (
    <Stack gap="lg">
      <BrandingSection application={application} reason={reason} />
      <DangerZone>
        {client && <RemoveClient client={client} reason={ofClient.reason} />}
        <RemoveApplication application={application} reason={reason} />
      </DangerZone>
    </Stack>
  );
}
