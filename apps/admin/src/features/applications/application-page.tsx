"use client";

import { ActionIcon, Group, Tabs, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ENVIRONMENTS, EnvironmentDot, environmentNames, isEnvironment } from "@/components/environments.tsx";
import { useMayManage, useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { FailedState, RowsSkeleton } from "@/components/state.tsx";
import { useUrlFilters } from "@/components/use-url-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application } from "@/trpc/types.ts";
import { ClientPanel } from "./client-panel.tsx";
import { EditApplication } from "./edit-application.tsx";
import { RemoveApplication } from "./remove.tsx";
import { UnregisteredPanel } from "./unregistered-panel.tsx";

/** One application: a tab per environment, and in it everything about that environment's client. */
export function ApplicationPage({ id, issuer }: { id: string; issuer: string }) {
  const trpc = useTRPC();
  const application = useQuery(trpc.applications.get.queryOptions({ id }));
  if (application.isPending) return <RowsSkeleton rows={3} height={180} />;
  if (application.data === undefined) return <FailedState error={application.error} retry={application.refetch} />;
  return <Loaded application={application.data} issuer={issuer} />;
}

function Loaded({ application, issuer }: { application: Application; issuer: string }) {
  const { can } = useMe();
  const filters = useUrlFilters();
  const [editing, dialog] = useDisclosure();
  const chosen = filters.get("environment");
  const hasProduction = application.clients.some(({ environment }) => environment === "production");
  const removal = useMayManage(hasProduction ? "production" : "development");

  return (
    <>
      <PageHeader
        title={application.name}
        description={application.description}
        back={{ href: "/applications", label: "All applications" }}
        action={
          can.manageDevelopment && (
            <Tooltip label="Edit application" withArrow>
              <ActionIcon variant="default" size="lg" aria-label="Edit application" onClick={dialog.open}>
                <IconPencil size={18} />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      <Tabs
        value={isEnvironment(chosen) ? chosen : "development"}
        onChange={(environment) => filters.set({ environment: environment ?? "" })}
        keepMounted={false}
        styles={{ tab: { paddingInline: 10 } }}
      >
        <Tabs.List mb="lg" aria-label="Environments">
          {environmentNames.map((environment) => (
            <Tabs.Tab
              key={environment}
              value={environment}
              color={ENVIRONMENTS[environment].color}
              leftSection={
                <EnvironmentDot
                  environment={environment}
                  filled={application.clients.some((client) => client.environment === environment)}
                />
              }
            >
              {ENVIRONMENTS[environment].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {environmentNames.map((environment) => {
          const client = application.clients.find((candidate) => candidate.environment === environment);
          return (
            <Tabs.Panel key={environment} value={environment}>
              {client ? (
                <ClientPanel application={application} client={client} issuer={issuer} />
              ) : (
                <UnregisteredPanel application={application} environment={environment} />
              )}
            </Tabs.Panel>
          );
        })}
      </Tabs>
      {!removal.hide && (
        <Group mt="xl" justify="flex-end">
          <RemoveApplication application={application} reason={removal.reason} />
        </Group>
      )}
      <EditApplication application={application} opened={editing} close={dialog.close} />
    </>
  );
}
