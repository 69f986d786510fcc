"use client";

import { USER_FILTERS } from "@gatehouse/console/lists/lists";
import { Group } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { roleOptions } from "@/components/role-badge.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { UsersHeader } from "./users-header.tsx";
import { USER_COLUMNS, UsersTable } from "./users-table.tsx";

/** The filters besides the search. */
const FIELDS: readonly FilterField[] = [
  { kind: "choice", name: "role", label: "Role", options: roleOptions },
  {
    kind: "choice",
    name: "status",
    label: "Status",
    options: [
      { value: "active", label: "Active" },
      { value: "disabled", label: "Disabled" },
      { value: "unverified", label: "Email not verified" },
      { value: "deleting", label: "Deletion requested" },
    ],
  },
  {
    kind: "choice",
    name: "secondFactor",
    label: "Second factor",
    options: [
      { value: "none", label: "None" },
      { value: "some", label: "Set up" },
    ],
  },
  {
    kind: "choice",
    name: "lastSignIn",
    label: "Signed in",
    options: [
      { value: "never", label: "Never" },
      { value: "some", label: "At least once" },
    ],
  },
  { kind: "instant", name: "signedInFrom", label: "Last sign-in from" },
  { kind: "instant", name: "signedInTo", label: "Last sign-in to" },
];

/** Everyone who can sign in. */
export function UserList() {
  return (
    <>
      <UsersHeader active="users" />
      <Users />
    </>
  );
}

function Users() {
  const trpc = useTRPC();
  const { values, set, isSet, clear } = useFilters(USER_FILTERS);
  const { query: text, ...choices } = values;
  const query = useInfiniteQuery({
    ...useListPlace(trpc.users.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <List
      query={query}
      filtered={isSet}
      filters={
        <Group gap="sm">
          <SearchField label="Search users" value={text} onSearch={(searched) => set({ query: searched })} />
          <FilterBar
            label="Filter users"
            fields={FIELDS}
            values={choices}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="users" columns={USER_COLUMNS} paged />
          </FilterBar>
        </Group>
      }
      noMatch={{ title: "No users found", text: "No user matches this search and these filters." }}
      skeleton={{ rows: 6, height: 48 }}
    >
      {(users) => <UsersTable loaded={users} under={JSON.stringify(values)} />}
    </List>
  );
}
