"use client";

import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconLock } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ActionRow } from "@/components/action-row.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application, ClientView, Environment } from "@/trpc/types.ts";
import { ClientSecrets } from "./client-secrets.tsx";
import { CLIENT_TYPES } from "./client-types.ts";
import { PromoteClient } from "./promote-client.tsx";
import { RemoveClient } from "./remove-client.tsx";
import { ClientSettingsForm, settingsOf } from "./settings-form.tsx";
import { SettingsView } from "./settings-view.tsx";

/** The client of one environment: connection, secrets and settings. */
export function ClientPanel({ application, client, issuer }: { application: Application; client: ClientView; issuer: string }) {
  const { hide, reason } = useCanManage(client.environment);
  const [promotingFrom, setPromotingFrom] = useState<Environment>();
  const kind = CLIENT_TYPES[client.type];
  if (promotingFrom) {
    const back = () => setPromotingFrom(undefined);
    return <PromoteClient application={application} from={promotingFrom} to={client.environment} done={back} cancel={back} />;
  }
  return (
    <Stack gap="lg">
      {reason !== undefined && !hide && (
        <Alert variant="light" color="gray" icon={<IconLock aria-hidden="true" />}>
          {reason}
        </Alert>
      )}
      {!client.enabled && (
        <Alert variant="light" color="red" title="This client is disabled">
          Its requests are rejected and its tokens don’t work until you enable it again.
        </Alert>
      )}
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        <Group justify="space-between" align="flex-start" mb="md">
          <Group gap="xs">
            <Title order={2} size="h4">
              Connection
            </Title>
            <Badge variant="light" color="gray" tt="none">
              {kind.label}
            </Badge>
            <Badge variant="light" color={client.enabled ? "teal" : "red"} tt="none">
              {client.enabled ? "Enabled" : "Disabled"}
            </Badge>
          </Group>
          {!hide && (
            <Group gap="xs">
              <PromoteButton application={application} client={client} reason={reason} choose={setPromotingFrom} />
              <EnabledButton client={client} reason={reason} />
            </Group>
          )}
        </Group>
        <Stack gap="md">
          <Fact label="Client ID">
            <CopyValue value={client.clientId} what="client ID" testId="client-id" />
          </Fact>
          <Fact label="Issuer">
            <CopyValue value={issuer} what="issuer" />
          </Fact>
          <Text size="sm" c="dimmed">
            {kind.hint} Registered <Timestamp at={client.createdAt} />.
          </Text>
        </Stack>
      </Paper>
      {kind.confidential && <ClientSecrets client={client} />}
      {hide ? <SettingsView client={client} /> : <ClientSettingsForm key={JSON.stringify(settingsOf(client))} client={client} />}
      {!hide && (
        <Paper withBorder p={{ base: "md", sm: "lg" }}>
          <ActionRow title="Remove this client" hint="Its tokens stop working immediately. To turn it off temporarily, disable it instead.">
            <RemoveClient client={client} reason={reason} />
          </ActionRow>
        </Paper>
      )}
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}

type PromoteProps = { application: Application; client: ClientView; reason: string | undefined; choose: (from: Environment) => void };

/** Offers to promote from the nearest earlier environment that has a client. */
function PromoteButton({ application, client, reason, choose }: PromoteProps) {
  const earlier = environmentNames.slice(0, environmentNames.indexOf(client.environment)).reverse();
  const from = earlier.find((environment) => application.clients.some((candidate) => candidate.environment === environment));
  if (!from) return null;
  return (
    <Permitted reason={reason}>
      <Button variant="default" size="xs" onClick={() => choose(from)}>
        Promote from {ENVIRONMENTS[from].label.toLowerCase()}
      </Button>
    </Permitted>
  );
}

function EnabledButton({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const setEnabled = useMutation(trpc.clients.setEnabled.mutationOptions({ onSuccess: changed }));
  const { clientId, enabled } = client;
  const ask = () =>
    modals.openConfirmModal({
      title: "Disable this client?",
      children: <Text size="sm">Its requests are rejected and its tokens don’t work until you enable it again.</Text>,
      labels: { confirm: "Disable", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => setEnabled.mutate({ clientId, enabled: false }),
    });
  return (
    <Permitted reason={reason}>
      <Button
        size="xs"
        variant="default"
        loading={setEnabled.isPending}
        onClick={enabled ? ask : () => setEnabled.mutate({ clientId, enabled: true })}
      >
        {enabled ? "Disable" : "Enable"}
      </Button>
    </Permitted>
  );
}
