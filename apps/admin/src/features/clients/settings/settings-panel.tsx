"use client";

import { Stack } from "@mantine/core";
import { useCanManage } from "@/components/me.tsx";
import { OfApplication } from "@/features/applications/of-application.tsx";
import { ClientLock } from "../client-lock.tsx";
import type { PanelProps } from "../panel.ts";
import { ReadOnlyNote } from "../read-only-note.tsx";
import { ClientSettingsForm } from "./settings-form.tsx";
import { SettingsView } from "./settings-view.tsx";

/** The client's settings, and those of its application. */
export function SettingsPanel({ application, client }: PanelProps) {
  return (
    <>
      <OfClient application={application} client={client} />
      <OfApplication application={application} client={client} />
    </>
  );
}

function OfClient({ application, client }: Pick<PanelProps, "application" | "client">) {
  const { hide } = useCanManage(client.environment);
  if (hide) return <SettingsView client={client} />;
  return (
    <Stack gap="lg">
      <ReadOnlyNote environment={client.environment} />
      <ClientLock client={client} />
      <ClientSettingsForm key={client.clientId} client={client} clients={application.clients} />
    </Stack>
  );
}
