"use client";

import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { EnvironmentBadge } from "@/components/environments.tsx";
import { useStartingEnvironment } from "@/components/installation.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { dialogHref, useOpenedByLink } from "@/components/use-opened-by-link.ts";
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
  const provider = useSearchParams().get("provider");
  useOpenedByLink("new", dialog.open);
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
          {can.manageDevelopment && (
            <NewEndpoint
              opened={creating}
              close={() => {
                changeQuery({ provider: undefined });
                dialog.close();
              }}
              providers={providers.data}
              provider={provider}
              taken={endpoints.data.map(({ slug }) => slug)}
            />
          )}
        </Stack>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}

type Lists = { endpoints: WebhookEndpoint[]; providers: WebhookProvider[] };

const columnsWith = (nameOf: (provider: string) => string): readonly Column<WebhookEndpoint>[] => [
  {
    id: "endpoint",
    title: "Endpoint",
    render: ({ name, provider, slug }) => (
      <span style={{ display: "block", overflowWrap: "anywhere" }}>
        <Text span size="sm" fw={550} display="block">
          {name ?? nameOf(provider)}
        </Text>
        <Text span size="xs" c="dimmed" ff="monospace">
          /api/webhooks/{slug}
        </Text>
      </span>
    ),
  },
  { id: "environment", title: "Environment", render: (endpoint) => <EnvironmentBadge client={endpoint} /> },
  { id: "secrets", title: "Secrets", numeric: true, render: (endpoint) => <SecretCount endpoint={endpoint} /> },
  {
    id: "accepted",
    title: "Last accepted",
    time: true,
    from: "medium",
    render: ({ lastAcceptedAt }) => <When at={lastAcceptedAt} otherwise="Never" />,
  },
  {
    id: "refused",
    title: "Last refused",
    time: true,
    from: "medium",
    render: ({ lastRefusedAt, lastRefusedReason }) => (
      <>
        <When at={lastRefusedAt} otherwise="Never" />
        {lastRefusedReason && (
          <Text size="xs" c="dimmed">
            {REASONS[lastRefusedReason].title}
          </Text>
        )}
      </>
    ),
  },
];

function Endpoints({ endpoints, providers }: Lists) {
  const columns = columnsWith((slug) => providers.find(({ provider }) => provider === slug)?.name ?? slug);
  return (
    <DataTable
      name="endpoints"
      label="Endpoints"
      rows={endpoints}
      columns={columns}
      rowId={({ slug }) => slug}
      href={({ slug }) => `/webhooks/${slug}`}
    />
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

/** On the developer's own machine they lead to a new endpoint for development, elsewhere to the default endpoint. */
function Unconfigured({ endpoints, providers }: Lists) {
  const { can } = useMe();
  const starts = useStartingEnvironment().environment !== undefined && can.manageDevelopment;
  const rest = providers.filter(({ provider }) => !endpoints.some((endpoint) => endpoint.provider === provider));
  if (rest.length === 0) return null;
  return (
    <section aria-labelledby="not-set-up">
      <Title order={2} size="h4" id="not-set-up" mb="sm">
        {endpoints.length === 0 ? "Choose a provider to set up" : "Not set up"}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {rest.map(({ provider, name }) => (
          <Link
            key={provider}
            href={starts ? `${dialogHref("/webhooks", "new")}&provider=${provider}` : `/webhooks/${provider}`}
            className="row-link provider-link"
          >
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
