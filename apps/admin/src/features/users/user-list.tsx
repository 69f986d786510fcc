"use client";

import { USER_FILTERS } from "@gatehouse/lists";
import { Anchor, Badge, Button, Group, NativeSelect, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { List } from "@/components/list.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { RoleBadge, roleOptions, roles } from "@/components/role-badge.tsx";
import { SearchField } from "@/components/search-field.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { User } from "@/trpc/types.ts";
import { NewUser } from "./new-user.tsx";

/** Everyone who can sign in. */
export function UserList() {
  const { can } = useMe();
  const [creating, dialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Users"
        description="Everyone who can sign in through this server, and their role in the console."
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
  const { values, set, isSet } = useFilters(USER_FILTERS);
  const query = useInfiniteQuery({
    ...trpc.users.list.infiniteQueryOptions(listInput(values), byCursor),
    placeholderData: keepPreviousData,
  });
  return (
    <List
      query={query}
      filtered={isSet}
      filters={
        <Group gap="sm" align="flex-end">
          <SearchField label="Search users" value={values.query} onSearch={(text) => set({ query: text })} />
          <NativeSelect
            aria-label="Role"
            value={values.role ?? ""}
            onChange={({ currentTarget }) => set({ role: roles.find((role) => role === currentTarget.value) })}
            data={[{ value: "", label: "All roles" }, ...roleOptions]}
          />
        </Group>
      }
      noMatch={{ title: "No users found", text: "No user matches this search and role." }}
      skeleton={{ rows: 6, height: 48 }}
    >
      {(users) => <UserTable users={users} />}
    </List>
  );
}

function UserTable({ users }: { users: User[] }) {
  const router = useRouter();
  return (
    <DataTable
      records={users}
      withTableBorder
      borderRadius="md"
      highlightOnHover
      verticalSpacing="sm"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Users", role: "region" } }}
      onRowClick={({ record }) => router.push(`/users/${record.id}`)}
      columns={[
        {
          accessor: "name",
          title: "User",
          render: ({ id, name, email }) => (
            <div style={{ minWidth: 150, overflowWrap: "anywhere" }}>
              <Anchor component={Link} href={`/users/${id}`} size="sm" fw={500} display="block">
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {email}
              </Text>
            </div>
          ),
        },
        { accessor: "role", render: ({ role }) => <RoleBadge role={role} /> },
        {
          accessor: "disabledAt",
          title: "Status",
          render: ({ disabledAt }) => (
            <Badge variant="light" color={disabledAt === null ? "teal" : "red"} tt="none" miw="max-content">
              {disabledAt === null ? "Active" : "Disabled"}
            </Badge>
          ),
        },
        {
          accessor: "createdAt",
          title: "Created",
          noWrap: true,
          visibleMediaQuery: "(min-width: 48em)",
          render: ({ createdAt }) => <Timestamp at={createdAt} />,
        },
      ]}
    />
  );
}
