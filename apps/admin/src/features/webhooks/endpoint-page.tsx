"use client";

import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconLock } from "@tabler/icons-react";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { CopyValue } from "@/components/copy-value.tsx";
import { DangerZone } from "@/components/danger-zone.tsx";
import { EnvironmentBadge, inPlace } from "@/components/environments.tsx";
import { Fact } from "@/components/fact.tsx";
import { useCanManage } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { History } from "@/features/audit/history.tsx";
import { LockNote } from "@/features/configuration/managed/lock-note.tsx";
import { lockReason } from "@/features/configuration/managed/lock-reason.ts";
import { ManagedFact } from "@/features/configuration/managed/managed-fact.tsx";
import { REASONS } from "@/features/deliveries/reasons.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { EndpointSettings } from "./endpoint-settings.tsx";
import { EndpointForwarding } from "./forwarding/forwarding.tsx";
import { ProviderFacts } from "./provider-facts.tsx";
import { RemoveEndpoint } from "./remove-endpoint.tsx";
import { EndpointSecrets } from "./secrets.tsx";
import { SendTestEventButton } from "./send-test-event-button.tsx";
import { TestSample } from "./test-sample.tsx";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";
import { When } from "./when.tsx";

/** One endpoint: its URL, secrets and settings, and what the provider does. CO-58. */
export function EndpointPage({ slug }: { slug: string }) {
  const trpc = useTRPC();
  const { data: endpoint } = useSuspenseQuery(trpc.webhookEndpoints.get.queryOptions({ slug }));
  const { data: providers } = useSuspenseQuery(trpc.webhookEndpoints.providers.queryOptions());
  const { hide, reason } = useCanManage(endpoint.environment);
  const changed = useWebhooksChanged();
  const locked = reason ?? lockReason(endpoint.managed);
  const facts = providers.find(({ provider }) => provider === endpoint.provider);
  const name = facts?.name ?? endpoint.provider;
  return (
    <>
      <PageHeader
        title={endpoint.name ?? (slug === endpoint.provider ? name : slug)}
        description={name}
        back={{ href: "/webhooks", label: "Webhook providers" }}
        facts={endpoint.managed && <ManagedFact managed={endpoint.managed} />}
        environment={endpoint.environment}
        action={
          <Group gap="sm">
            {/* The header has the badge of production. */}
            {(endpoint.environment !== "production" || !endpoint.enabled) && <EnvironmentBadge client={endpoint} />}
            <SendTestEventButton slug={slug} reason={reason ?? unsendable(endpoint)} />
            {!hide && <SwitchButton endpoint={endpoint} reason={locked} />}
          </Group>
        }
      />
      <Stack gap="lg">
        {reason !== undefined && !hide && (
          <Alert variant="light" color="gray" icon={<IconLock aria-hidden="true" />}>
            {reason}
          </Alert>
        )}
        {!hide && (
          <LockNote kind="webhook_endpoint" id={slug} managed={endpoint.managed} reason={reason} changed={changed} />
        )}
        {!endpoint.enabled && (
          <Alert variant="light" color="red" title="This endpoint is disabled">
            It answers 404. Providers retry for a while, then give up.
          </Alert>
        )}
        <Connection endpoint={endpoint} />
        <EndpointSecrets endpoint={endpoint} {...(facts && { facts })} />
        <EndpointForwarding endpoint={endpoint} />
        {facts && <EndpointSettings key={slug} endpoint={endpoint} facts={facts} />}
        {facts && !hide && <TestSample endpoint={endpoint} facts={facts} />}
        {facts && <ProviderFacts facts={facts} />}
        {endpoint.configured && (
          <Paper withBorder p={{ base: "md", sm: "lg" }}>
            <Title order={2} size="h4">
              History
            </Title>
            <History object={slug} />
          </Paper>
        )}
        {!hide && endpoint.configured && (
          <DangerZone>
            <RemoveEndpoint endpoint={endpoint} reason={locked} />
          </DangerZone>
        )}
      </Stack>
    </>
  );
}

function unsendable({ enabled, secrets }: WebhookEndpoint): string | undefined {
  if (secrets.signing === 0) return "Add a signing secret first: a test event is signed like a real one.";
  return enabled ? undefined : "The endpoint is disabled.";
}

function Connection({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, slug, lastAcceptedAt, lastRefusedAt, lastRefusedReason } = endpoint;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="md">
        Connection
      </Title>
      <Stack gap="md">
        <Fact label="URL to register at the provider">
          <CopyValue value={url} what="URL" testId="endpoint-url" />
        </Fact>
        <Group gap="xl" align="flex-start">
          <Fact label="Last accepted">
            <When at={lastAcceptedAt} otherwise="Never" />
          </Fact>
          <Fact label="Last refused">
            <When at={lastRefusedAt} otherwise="Never" />
            {lastRefusedReason && (
              <Text size="sm" c="dimmed">
                {REASONS[lastRefusedReason].title}
              </Text>
            )}
          </Fact>
          <Fact label="Log">
            <Anchor href={`/deliveries?${new URLSearchParams({ endpoint: slug, environment: "all" })}`} size="sm">
              Show its deliveries
            </Anchor>
          </Fact>
        </Group>
      </Stack>
    </Paper>
  );
}

function SwitchButton({
  endpoint: { slug, enabled, environment },
  reason,
}: {
  endpoint: WebhookEndpoint;
  reason: string | undefined;
}) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const setEnabled = useMutation(trpc.webhookEndpoints.setEnabled.mutationOptions({ onSuccess: changed }));
  const ask = () =>
    modals.openConfirmModal({
      title: "Disable this endpoint?",
      children: (
        <Text size="sm">
          It answers 404 until you enable it again. Providers retry for a while, then the events are lost.
        </Text>
      ),
      labels: { confirm: inPlace("Disable", environment), cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => setEnabled.mutate({ slug, enabled: false }),
    });
  return (
    <Permitted reason={reason}>
      <Button
        variant="default"
        loading={setEnabled.isPending}
        onClick={enabled ? ask : () => setEnabled.mutate({ slug, enabled: true })}
      >
        {enabled ? "Disable" : inPlace("Enable", environment)}
      </Button>
    </Permitted>
  );
}
