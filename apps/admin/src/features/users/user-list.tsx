"use client";

import { Anchor, Badge, Button, Group, NativeSelect, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Instant } from "@/components/instant.tsx";
import { ListEnd } from "@/components/list-end.tsx";
import { useMe } from "@/components/me.tsx";
import { NothingFound } from "@/components/nothing-found.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { FailedState, RowsSkeleton } from "@/components/state.tsx";
import { useUrlFilters } from "@/components/use-url-filters.ts";
import { byCursor, rowsOf } from "@/features/applications/query.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { NewUser } from "./new-user.tsx";
import { ROLES, roles, userListInput } from "./query.ts";

/** Everybody who can sign in. */
export function UserList() {
  const { can } = useMe();
  const [creating, dialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Users"
        description="Everybody who can sign in through this server, and what they may do in the console."
        action={
          can.manageUsers && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden="true" />} onClick={dialog.open}>
              New user
            </Button>
          )
        }
      />
      <Users />
      <NewUser opened={creating} close={dialog.close} />
    </>
  );
}

function Users() {
  const trpc = useTRPC();
  const filters = useUrlFilters();
  const list = useInfiniteQuery({
    ...trpc.users.list.infiniteQueryOptions(userListInput(filters.get("query"), filters.get("role")), byCursor),
    placeholderData: keepPreviousData,
  });
  const { items, searchedBackTo } = rowsOf(list.data?.pages ?? []);
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <SearchField label="Search users" value={filters.get("query")} onSearch={(query) => filters.set({ query })} />
        <NativeSelect
          aria-label="Role"
          value={filters.get("role")}
          onChange={({ currentTarget }) => filters.set({ role: currentTarget.value })}
          data={[{ value: "", label: "All roles" }, ...roles.map((role) => ({ value: role, label: ROLES[role].label }))]}
        />
      </Group>
      {list.isPending && <RowsSkeleton rows={6} height={48} />}
      {list.isError && <FailedState error={list.error} retry={list.refetch} />}
      {items.length > 0 && <UserTable items={items} />}
      {list.isSuccess && items.length === 0 && (
        <NothingFound title="Nobody matches" paging={list} searchedBackTo={searchedBackTo}>
          No user has this name, email address or role.
        </NothingFound>
      )}
      {items.length > 0 && <ListEnd paging={list} searchedBackTo={searchedBackTo} />}
    </Stack>
  );
}

function UserTable({ items }: { items: User[] }) {
  const router = useRouter();
  return (
    <DataTable
      records={items}
      withTableBorder
      borderRadius="md"
      highlightOnHover
      verticalSpacing="sm"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Users", role: "region" } }}
      onRowClick={({ record }) => router.push(`/users/${record.id}`)}
      columns={[
        {
          accessor: "name",
          render: ({ id, name }) => (
            <Anchor
              component={Link}
              href={`/users/${id}`}
              size="sm"
              fw={500}
              display="block"
              miw={110}
              style={{ overflowWrap: "anywhere" }}
            >
              {name}
            </Anchor>
          ),
        },
        {
          accessor: "email",
          title: "E-mail",
          render: ({ email }) => <div style={{ minWidth: 170, overflowWrap: "anywhere" }}>{email}</div>,
        },
        {
          accessor: "role",
          render: ({ role }) => (
            <Badge variant="light" color={ROLES[role].color} tt="none" miw="max-content">
              {ROLES[role].label}
            </Badge>
          ),
        },
        {
          accessor: "disabledAt",
          title: "State",
          render: ({ disabledAt }) => (
            <Badge variant="light" color={disabledAt === null ? "teal" : "red"} tt="none" miw="max-content">
              {disabledAt === null ? "Active" : "Disabled"}
            </Badge>
          ),
        },
        {
          accessor: "createdAt",
          title: "Since",
          noWrap: true,
          visibleMediaQuery: "(min-width: 48em)",
          render: ({ createdAt }) => <Instant at={createdAt} />,
        },
      ]}
    />
  );
}
