"use client";

import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconLock } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { Instant } from "@/components/instant.tsx";
import { useMayManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application, ClientView, Environment } from "@/trpc/types.ts";
import { KINDS } from "./client-kinds.ts";
import { ClientSecrets } from "./client-secrets.tsx";
import { ClientSettingsForm, settingsOf } from "./client-settings-form.tsx";
import { PromoteClient } from "./promote-client.tsx";
import { RemoveClient } from "./remove.tsx";
import { SettingsView } from "./settings-view.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

/** Everything about the client of one environment. */
export function ClientPanel({ application, client, issuer }: { application: Application; client: ClientView; issuer: string }) {
  const { hide, reason } = useMayManage(client.environment);
  const [promotingFrom, setPromotingFrom] = useState<Environment>();
  const kind = KINDS[client.type];
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
          Every request it makes is refused, and its tokens do not work until it is enabled again.
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
              <PromoteButtons application={application} client={client} reason={reason} choose={setPromotingFrom} />
              <EnabledButton client={client} reason={reason} />
            </Group>
          )}
        </Group>
        <Stack gap="md">
          <Fact label="Client id">
            <CopyValue value={client.clientId} what="client id" testId="client-id" />
          </Fact>
          <Fact label="Issuer">
            <CopyValue value={issuer} what="issuer" />
          </Fact>
          <Text size="sm" c="dimmed">
            {kind.hint} Registered <Instant at={client.createdAt} />.
          </Text>
        </Stack>
      </Paper>
      {kind.confidential && <ClientSecrets client={client} />}
      {hide ? <SettingsView client={client} /> : <ClientSettingsForm key={JSON.stringify(settingsOf(client))} client={client} />}
      {!hide && (
        <Paper withBorder p={{ base: "md", sm: "lg" }} style={{ borderColor: "var(--gh-danger)" }}>
          <Group justify="space-between">
            <div>
              <Text fw={500}>Remove this client</Text>
              <Text size="sm" c="dimmed">
                Its tokens stop working at once. To switch it off for a while, disable it instead.
              </Text>
            </div>
            <RemoveClient client={client} reason={reason} />
          </Group>
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

/** From the environment before this one, where there is one that is registered. */
function PromoteButtons({ application, client, reason, choose }: PromoteProps) {
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
      children: <Text size="sm">Its users are signed out of it and its requests are refused until you enable it again.</Text>,
      labels: { confirm: "Disable", cancel: "Leave it on" },
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
