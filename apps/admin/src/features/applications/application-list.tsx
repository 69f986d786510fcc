"use client";

import { APPLICATION_FILTERS } from "@gatehouse/lists";
import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApps, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EnvironmentBadge, environmentNames } from "@/components/environments.tsx";
import { List } from "@/components/list.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { EmptyState } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { ApplicationItem } from "@/trpc/types.ts";
import { NewApplication } from "./new-application.tsx";

/** All applications, newest first, with the environments that have a client. */
export function ApplicationList() {
  const { can } = useMe();
  const [creating, dialog] = useDisclosure();
  const newButton = can.manageDevelopment && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={dialog.open}>
      New application
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Applications"
        description="Products that sign users in or call your APIs. Each has a separate client for every environment."
        action={newButton}
      />
      <Applications canCreate={can.manageDevelopment} />
      <NewApplication opened={creating} close={dialog.close} />
    </>
  );
}

function Applications({ canCreate }: { canCreate: boolean }) {
  const trpc = useTRPC();
  const { values, set, isSet } = useFilters(APPLICATION_FILTERS);
  const query = useInfiniteQuery({
    ...trpc.applications.list.infiniteQueryOptions(listInput(values), byCursor),
    placeholderData: keepPreviousData,
  });
  return (
    <List
      query={query}
      filtered={isSet}
      filters={<SearchField label="Search applications" value={values.query} onSearch={(text) => set({ query: text })} />}
      empty={<NoApplications canCreate={canCreate} />}
      noMatch={{
        title: "No applications found",
        text: `No application matches “${values.query}” in its name, description or client IDs.`,
      }}
      skeleton={{ rows: 4, height: 84 }}
    >
      {(applications) => (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {applications.map((application) => (
            <li key={application.id}>
              <ApplicationRow application={application} />
            </li>
          ))}
        </Stack>
      )}
    </List>
  );
}

function NoApplications({ canCreate }: { canCreate: boolean }) {
  return (
    <EmptyState icon={<IconApps size={26} />} title="No applications yet">
      {canCreate
        ? "Create an application, then register its development client to get a client ID for your OAuth library."
        : "Ask an admin or developer to create one."}
    </EmptyState>
  );
}

function ApplicationRow({ application }: { application: ApplicationItem }) {
  const { id, name, description, createdAt, clients } = application;
  const registered = environmentNames.flatMap((environment) => clients.filter((client) => client.environment === environment));
  return (
    <Paper component={Link} href={`/applications/${id}`} withBorder p="md" className="row-link">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {description || (
              <>
                Created <Timestamp at={createdAt} />
              </>
            )}
          </Text>
        </div>
        <Group gap={6}>
          {registered.map((client) => (
            <EnvironmentBadge key={client.environment} client={client} />
          ))}
          {registered.length === 0 && (
            <Text size="sm" c="dimmed">
              No clients yet
            </Text>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
