"use client";

import type { Filters } from "@gatehouse/lists";
import { ActionIcon, Paper, Tabs, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ActionRow } from "@/components/action-row.tsx";
import { ENVIRONMENTS, EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import { useCanManage, useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { ClientPanel } from "@/features/clients/client-panel.tsx";
import { UnregisteredPanel } from "@/features/clients/unregistered-panel.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application } from "@/trpc/types.ts";
import { EditApplication } from "./edit-application.tsx";
import { RemoveApplication } from "./remove-application.tsx";

/** The selected tab, in the URL. */
const TAB = { environment: { kind: "choice", values: environmentNames } } as const satisfies Filters;

/** One application: a tab for each environment with that environment's client. */
export function ApplicationPage({ id, issuer }: { id: string; issuer: string }) {
  const trpc = useTRPC();
  const application = useQuery(trpc.applications.get.queryOptions({ id }));
  if (application.isPending) return <RowsSkeleton rows={3} height={180} />;
  if (application.data === undefined) return <LoadError error={application.error} retry={application.refetch} />;
  return <Loaded application={application.data} issuer={issuer} />;
}

function Loaded({ application, issuer }: { application: Application; issuer: string }) {
  const { can } = useMe();
  const { values, set } = useFilters(TAB);
  const [editing, dialog] = useDisclosure();
  const hasProduction = application.clients.some(({ environment }) => environment === "production");
  const removal = useCanManage(hasProduction ? "production" : "development");

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
        value={values.environment ?? "development"}
        onChange={(name) => set({ environment: environmentNames.find((environment) => environment === name) })}
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
        <Paper withBorder mt="lg" p={{ base: "md", sm: "lg" }}>
          <ActionRow title="Remove this application" hint="Removes its clients in every environment. You can’t undo this.">
            <RemoveApplication application={application} reason={removal.reason} />
          </ActionRow>
        </Paper>
      )}
      <EditApplication application={application} opened={editing} close={dialog.close} />
    </>
  );
}
