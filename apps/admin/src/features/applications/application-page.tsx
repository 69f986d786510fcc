"use client";

import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { useTab } from "@/components/page-tabs.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { leaveSafely } from "@/components/unsaved.tsx";
import { useOneEnvironment } from "@/components/use-environment.ts";
import { useFilters } from "@/components/use-filters.ts";
import { ClientFacts } from "@/features/clients/client-facts.tsx";
import { AddClientButton, ClientPicker } from "@/features/clients/client-picker.tsx";
import { CLIENT_TABS } from "@/features/clients/client-tabs.tsx";
import { EnvironmentPanel, EnvironmentTabs } from "@/features/clients/environment-tabs.tsx";
import { SHOWN_CLIENT, shownClient } from "@/features/clients/shown-client.ts";
import { UnregisteredPanel } from "@/features/clients/unregistered-panel.tsx";
import { lockReason } from "@/features/configuration/managed/lock-reason.ts";
import { ManagedFact } from "@/features/configuration/managed/managed-fact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application, Environment } from "@/trpc/types.ts";
import { UndoRemoval } from "./removed/undo-removal.tsx";

const OfApplication = dynamic(() => import("./of-application.tsx").then((module) => module.OfApplication), {
  loading: () => <RowsSkeleton rows={2} height={240} />,
});

const EditApplication = onDemand(() => import("./edit-application.tsx").then((module) => module.EditApplication));

/**
 * One application: of the selected client in the selected environment, first the earliest in which it is registered,
 * the selected section.
 */
export function ApplicationPage({ id, issuer }: { id: string; issuer: string }) {
  const trpc = useTRPC();
  const application = useQuery(trpc.applications.get.queryOptions({ id }));
  if (application.isPending) return <RowsSkeleton rows={3} height={180} />;
  if (application.data === undefined) return <LoadError error={application.error} retry={application.refetch} />;
  return <Loaded application={application.data} issuer={issuer} />;
}

function Loaded({ application, issuer }: { application: Application; issuer: string }) {
  const { values, set } = useFilters(SHOWN_CLIENT);
  const { name, environment, clients, client } = shownClient(application, values);
  const selected = useOneEnvironment(environment);
  const tabs =
    application.clients.length === 0 ? [] : CLIENT_TABS.filter(({ shown }) => !client || !shown || shown(client));
  const value = useTab(tabs);
  const Panel = tabs.find((tab) => tab.value === value)?.Panel;
  const choose = (chosen: string) => leaveSafely(() => set({ client: chosen, environment: "" }, { push: true }));
  const chooseEnvironment = (chosen: Environment) => leaveSafely(() => set({ environment: chosen }, { push: true }));

  return (
    <>
      <PageFrame
        title={application.name}
        description={application.description}
        crumbs={[{ label: "Applications", href: "/applications" }]}
        environment={selected}
        facts={client ? <ClientFacts client={client} /> : <ManagedFact managed={application.managed} />}
        actions={<Actions application={application} selected={name} choose={choose} />}
        chooser={<ClientPicker application={application} selected={name} choose={choose} />}
        tabs={tabs}
        besideTabs={<EnvironmentTabs clients={clients} selected={selected} choose={chooseEnvironment} />}
      />
      <UndoRemoval />
      <EnvironmentPanel key={`${name} ${selected}`} selected={selected}>
        {client && Panel ? (
          <Panel application={application} client={client} clients={clients} issuer={issuer} />
        ) : (
          <UnregisteredPanel place={{ applicationId: application.id, name, environment: selected }} clients={clients} />
        )}
        {/* The panel of the settings has it too: two parts loaded on demand would each have the code that both use. */}
        {(!value || (value === "settings" && !client)) && <OfApplication application={application} client={client} />}
      </EnvironmentPanel>
    </>
  );
}

function Actions({
  application,
  selected,
  choose,
}: {
  application: Application;
  selected: string;
  choose: (name: string) => void;
}) {
  const { can } = useMe();
  const [editing, dialog] = useDisclosure();
  if (!can.manageDevelopment) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {application.clients.length > 0 && (
        <AddClientButton application={application} selected={selected} choose={choose} />
      )}
      <EditButton locked={lockReason(application.managed)} open={dialog.open} />
      <EditApplication application={application} opened={editing} close={dialog.close} />
    </Group>
  );
}

function EditButton({ locked, open }: { locked: string | undefined; open: () => void }) {
  const button = (
    <ActionIcon variant="default" size="lg" aria-label="Edit application" onClick={open}>
      <IconPencil size={18} />
    </ActionIcon>
  );
  if (locked !== undefined) return <Permitted reason={locked}>{button}</Permitted>;
  return (
    <Tooltip label="Edit application" withArrow>
      {button}
    </Tooltip>
  );
}
