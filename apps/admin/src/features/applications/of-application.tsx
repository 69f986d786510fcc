"use client";

import { Stack } from "@mantine/core";
import { DangerZone } from "@/components/danger-zone.tsx";
import { useCanManage } from "@/components/me.tsx";
import { BrandingSection } from "@/features/branding/branding-section.tsx";
import { RemoveClient } from "@/features/clients/remove-client.tsx";
import { LockNote } from "@/features/configuration/managed/lock-note.tsx";
import { lockReason, useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import type { Application, ClientView } from "@/trpc/types.ts";
import { RemoveApplication } from "./remove-application.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

type Props = { application: Application; client: ClientView | undefined };

/** What concerns all clients of the application, below the settings of the selected one; and what ends either. */
export function OfApplication({ application, client }: Props) {
  const hasProduction = application.clients.some(({ environment }) => environment === "production");
  const { hide, reason } = useCanManage(hasProduction ? "production" : "development");
  const ofClient = useCanChange(client?.environment ?? "development", client?.managed ?? null);
  const changed = useApplicationChanged();
  if (hide) return null;
  const { id, managed } = application;
  const locked = reason ?? lockReason(managed);
  const lockedClient = application.clients.find((one) => one.managed?.locked);
  return (
    <Stack gap="lg" mt="lg">
      <LockNote kind="application" id={id} managed={managed} reason={reason} changed={changed} />
      <BrandingSection application={application} reason={locked} logoReason={reason} />
      <DangerZone>
        {client && <RemoveClient client={client} reason={ofClient.reason} />}
        <RemoveApplication application={application} reason={locked ?? lockReason(lockedClient?.managed ?? null)} />
      </DangerZone>
    </Stack>
  );
}
