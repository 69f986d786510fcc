"use client";

import { Stack } from "@mantine/core";
import { useCanManage } from "@/components/me.tsx";
import { ClientLock } from "../client-lock.tsx";
import type { PanelProps } from "../client-tabs.tsx";
import { ReadOnlyNote } from "../read-only-note.tsx";
import { ClientSettingsForm } from "./settings-form.tsx";
import { SettingsView } from "./settings-view.tsx";

/** The client's settings. */
export function SettingsPanel({ application, client }: PanelProps) {
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
