"use client";

import { APPLICATION_FILTERS } from "@gatehouse/console/lists/lists";
import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApps, IconDownload, IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { EmptyState } from "@/components/state.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { useFilters } from "@/components/use-filters.ts";
import { CLIENT_TYPES } from "@/features/clients/client-types.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { ClientType } from "@/trpc/types.ts";
import { APPLICATION_COLUMNS, ApplicationsTable } from "./applications-table.tsx";

const ExportApplications = onDemand(() =>
  import("./export-applications.tsx").then((module) => module.ExportApplications),
);

const clientTypes = Object.keys(CLIENT_TYPES) as ClientType[];

/** All applications: where they have clients, and whether these are in use. CO-18. */
export function ApplicationList() {
  useEnvironment();
  const { can } = useMe();
  const router = useRouter();
  const [exporting, dialog] = useDisclosure();
  const newButton = can.manageDevelopment && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => router.push("/applications/new")}>
      New application
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Applications"
        description="Products that sign users in or call your APIs. Each has its clients, separate in every environment."
        action={
          <Group gap="sm">
            <Button variant="default" leftSection={<IconDownload size={16} aria-hidden="true" />} onClick={dialog.open}>
              Export
            </Button>
            {newButton}
          </Group>
        }
      />
      <ExportApplications opened={exporting} close={dialog.close} />
      <Applications canCreate={can.manageDevelopment} />
    </>
  );
}

/** The filters besides the search, the order and the environment, which the header has. */
const FIELDS: readonly FilterField[] = [
  {
    kind: "choice",
    name: "type",
    label: "Type",
    options: clientTypes.map((value) => ({ value, label: CLIENT_TYPES[value].label })),
  },
  {
    kind: "choice",
    name: "origin",
    label: "Origin",
    options: [
      { value: "registered", label: "Registered here" },
      { value: "dynamic", label: "Registered itself" },
      { value: "metadata_document", label: "Metadata document" },
    ],
  },
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: [
      { value: "unused", label: "Unused" },
      { value: "off", label: "All clients disabled" },
      { value: "never_used", label: "Never got a token" },
      { value: "silent", label: "No token for 90 days" },
      { value: "secret_unused", label: "A secret was never used" },
      { value: "secret_ends", label: "A secret expires within 30 days" },
      { value: "managed", label: "Managed by a file" },
    ],
  },
];

function Applications({ canCreate }: { canCreate: boolean }) {
  const trpc = useTRPC();
  const { values, set } = useFilters(APPLICATION_FILTERS);
  const { query: text, sort = "created", environment, ...choices } = values;
  const filtered =
    text !== undefined || environment !== undefined || Object.values(choices).some((value) => value !== undefined);
  const query = useInfiniteQuery({
    ...useListPlace(trpc.applications.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  const clear = () => set({ type: "", origin: "", state: "" });
  return (
    <List
      query={query}
      filtered={filtered}
      filters={
        <Group gap="sm">
          <SearchField label="Search applications" value={text} onSearch={(searched) => set({ query: searched })} />
          <FilterBar
            label="Filter applications"
            fields={FIELDS}
            values={choices}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="applications" columns={APPLICATION_COLUMNS} paged />
          </FilterBar>
        </Group>
      }
      empty={<NoApplications canCreate={canCreate} />}
      noMatch={{
        title: "No applications found",
        text:
          text === undefined
            ? "No application matches these filters."
            : `No application has “${text}” in its name, description, client IDs or redirect hosts.`,
      }}
      skeleton={{ rows: 6, height: 48 }}
    >
      {(loaded) => (
        <ApplicationsTable
          loaded={loaded}
          under={JSON.stringify(values)}
          order={{ by: sort, choose: (by) => set({ sort: by === "created" ? "" : (by as typeof sort) }) }}
        />
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
