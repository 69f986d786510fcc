"use client";

import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApps, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EnvironmentBadge, environmentNames } from "@/components/environments.tsx";
import { Instant } from "@/components/instant.tsx";
import { ListEnd } from "@/components/list-end.tsx";
import { useMe } from "@/components/me.tsx";
import { NothingFound } from "@/components/nothing-found.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { EmptyState, FailedState, RowsSkeleton } from "@/components/state.tsx";
import { useUrlFilters } from "@/components/use-url-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApplicationItem } from "@/trpc/types.ts";
import { NewApplication } from "./new-application.tsx";
import { applicationListInput, byCursor, rowsOf } from "./query.ts";

/** All applications, newest first, with the environments they are registered in. */
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
        description="Every product that signs users in or calls the API. Each has its own client per environment."
        action={newButton}
      />
      <Applications mayCreate={can.manageDevelopment} />
      <NewApplication opened={creating} close={dialog.close} />
    </>
  );
}

function Applications({ mayCreate }: { mayCreate: boolean }) {
  const trpc = useTRPC();
  const filters = useUrlFilters();
  const query = filters.get("query");
  const list = useInfiniteQuery({
    ...trpc.applications.list.infiniteQueryOptions(applicationListInput(query), byCursor),
    placeholderData: keepPreviousData,
  });
  if (list.isPending) return <RowsSkeleton rows={4} height={84} />;
  if (list.data === undefined) return <FailedState error={list.error} retry={list.refetch} />;

  const { items, searchedBackTo } = rowsOf(list.data.pages);
  if (items.length === 0 && query === "") {
    return (
      <EmptyState icon={<IconApps size={26} />} title="No applications yet">
        {mayCreate
          ? "Create one with “New application”, then register a client for development: you get a client id to point your OAuth library at."
          : "An admin or developer has to create the first one."}
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      <SearchField label="Search applications" value={query} onSearch={(text) => filters.set({ query: text })} />
      {list.isError && <FailedState error={list.error} retry={list.refetch} />}
      {items.length === 0 ? (
        <NothingFound title="Nothing matches" paging={list} searchedBackTo={searchedBackTo}>
          No application has “{query}” in its name, description or client ids.
        </NothingFound>
      ) : (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {items.map((application) => (
            <li key={application.id}>
              <ApplicationRow application={application} />
            </li>
          ))}
        </Stack>
      )}
      {items.length > 0 && <ListEnd paging={list} searchedBackTo={searchedBackTo} />}
    </Stack>
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
                Created <Instant at={createdAt} />
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
