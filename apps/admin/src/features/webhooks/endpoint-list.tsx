"use client";

import { Anchor, Button, Group, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EnvironmentBadge } from "@/components/environments.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { REASONS } from "@/features/deliveries/reasons.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint, WebhookProvider } from "@/trpc/types.ts";
import { NewEndpoint } from "./new-endpoint.tsx";
import { When } from "./when.tsx";

/** Every provider: those with endpoints as a table, the others as links to set them up. CO-58. */
export function EndpointList() {
  const trpc = useTRPC();
  const { can } = useMe();
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions());
  const providers = useQuery(trpc.webhookEndpoints.providers.queryOptions());
  const [creating, dialog] = useDisclosure();
  const failed = [endpoints, providers].find(({ error }) => error);

  return (
    <>
      <PageHeader
        title="Webhook providers"
        description="Each endpoint is one URL that one provider sends events of one environment to."
        action={
          can.manageDevelopment && (
            <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={dialog.open}>
              New endpoint
            </Button>
          )
        }
      />
      {failed ? (
        <LoadError error={failed.error} retry={failed.refetch} />
      ) : endpoints.data && providers.data ? (
        <Stack gap="xl">
          {endpoints.data.length > 0 && <Endpoints endpoints={endpoints.data} providers={providers.data} />}
          <Unconfigured endpoints={endpoints.data} providers={providers.data} />
          <NewEndpoint opened={creating} close={dialog.close} providers={providers.data} />
        </Stack>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}

type Lists = { endpoints: WebhookEndpoint[]; providers: WebhookProvider[] };

function Endpoints({ endpoints, providers }: Lists) {
  const nameOf = (slug: string) => providers.find(({ provider }) => provider === slug)?.name ?? slug;
  return (
    <Table.ScrollContainer minWidth={860} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="sm" highlightOnHover aria-label="Endpoints">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>Environment</Table.Th>
            <Table.Th>Secrets</Table.Th>
            <Table.Th>Last accepted</Table.Th>
            <Table.Th>Last refused</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {endpoints.map((endpoint) => (
            <Table.Tr key={endpoint.slug}>
              <Table.Td>
                <Anchor component={Link} href={`/webhooks/${endpoint.slug}`} fw={550} style={{ overflowWrap: "anywhere" }}>
                  {endpoint.name ?? nameOf(endpoint.provider)}
                </Anchor>
                <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: "anywhere" }}>
                  /api/webhooks/{endpoint.slug}
                </Text>
              </Table.Td>
              <Table.Td>
                <EnvironmentBadge client={endpoint} />
              </Table.Td>
              <Table.Td>
                <SecretCount endpoint={endpoint} />
              </Table.Td>
              <Table.Td>
                <When at={endpoint.lastAcceptedAt} otherwise="Never" />
              </Table.Td>
              <Table.Td>
                <When at={endpoint.lastRefusedAt} otherwise="Never" />
                {endpoint.lastRefusedReason && (
                  <Text size="xs" c="dimmed">
                    {REASONS[endpoint.lastRefusedReason].title}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SecretCount({ endpoint: { secrets } }: { endpoint: WebhookEndpoint }) {
  if (secrets.signing > 0) return <>{secrets.signing}</>;
  return (
    <Text size="sm" c="red" fw={550}>
      {secrets.unreadable > 0 ? "Unreadable" : "None"}
    </Text>
  );
}

function Unconfigured({ endpoints, providers }: Lists) {
  const rest = providers.filter(({ provider }) => !endpoints.some((endpoint) => endpoint.provider === provider));
  if (rest.length === 0) return null;
  return (
    <section aria-labelledby="not-set-up">
      <Title order={2} size="h4" id="not-set-up" mb="sm">
        {endpoints.length === 0 ? "Choose a provider to set up" : "Not set up"}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {rest.map(({ provider, name }) => (
          <Link key={provider} href={`/webhooks/${provider}`} className="row-link provider-link">
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={550}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" aria-hidden="true">
                Set up
              </Text>
            </Group>
          </Link>
        ))}
      </SimpleGrid>
    </section>
  );
}
