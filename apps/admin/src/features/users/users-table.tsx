"use client";

import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { RoleName } from "@/components/role-badge.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { SelectionBar } from "@/components/table/selection-bar.tsx";
import { useSelection } from "@/components/table/use-selection.ts";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { useUserChanged } from "./use-user-changed.ts";
import { UserStatus } from "./user-status.tsx";

const BulkDialog = onDemand(() => import("@/components/table/bulk-dialog.tsx").then((module) => module.BulkDialog));

/** The columns of the list of users. */
export const USER_COLUMNS: readonly Column<User>[] = [
  {
    id: "name",
    title: "User",
    render: ({ name, email }) => (
      <span style={{ display: "block", minWidth: 150, overflowWrap: "anywhere" }}>
        <Text span size="sm" fw={500} display="block">
          <bdi>{name}</bdi>
        </Text>
        <Text span size="xs" c="dimmed">
          {email}
        </Text>
      </span>
    ),
  },
  { id: "role", title: "Role", render: ({ role }) => <RoleName role={role} /> },
  { id: "status", title: "Status", render: (user) => <UserStatus user={user} /> },
  {
    id: "lastSignIn",
    title: "Last sign-in",
    time: true,
    from: "medium",
    render: ({ lastSignedInAt }) =>
      lastSignedInAt === null ? (
        <Text span fz="inherit" c="dimmed">
          Never
        </Text>
      ) : (
        <Timestamp at={lastSignedInAt} />
      ),
  },
  {
    id: "created",
    title: "Created",
    time: true,
    from: "medium",
    render: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
  { id: "id", title: "User ID", optional: true, render: ({ id }) => <code>{id}</code> },
];

const users = (count: number) => (count === 1 ? "1 user" : `${count} users`);

/** The loaded users; admins select and disable several. The selection ends when `under`, the filters, changes. */
export function UsersTable({ loaded, under }: { loaded: User[]; under: string }) {
  const trpc = useTRPC();
  const { user: me, can } = useMe();
  const changed = useUserChanged();
  const confirmed = useConfirmed();
  const [asking, dialog] = useDisclosure();
  const selection = useSelection(
    loaded.map(({ id }) => id),
    under,
  );
  const setDisabled = useMutation(trpc.users.setDisabled.mutationOptions({ meta: { errorShownInForm: true } }));
  const rows = loaded
    .filter(({ id }) => selection.table.isSelected(id))
    .map(({ id, email, disabledAt }) => ({
      id,
      label: email,
      locked: id === me.id ? "This is you." : disabledAt === null ? undefined : "Already disabled.",
    }));
  return (
    <>
      <DataTable
        name="users"
        label="Users"
        rows={loaded}
        columns={USER_COLUMNS}
        rowId={({ id }) => id}
        href={({ id }) => `/users/${id}`}
        selection={can.manageUsers ? { ...selection.table, labelOf: ({ email }) => email } : undefined}
      />
      <SelectionBar selected={selection.selected} clear={selection.clear}>
        <Button
          size="compact-sm"
          color="red"
          leftSection={<IconUserOff size={14} aria-hidden="true" />}
          onClick={() => confirmed(dialog.open)}
        >
          Disable
        </Button>
      </SelectionBar>
      <BulkDialog
        opened={asking}
        close={dialog.close}
        title="Disable users"
        text="They are signed out everywhere, their tokens stop working, and they can’t sign in until you enable them again."
        action="Disable"
        countOf={users}
        rows={rows}
        act={(id) => setDisabled.mutateAsync({ id, disabled: true })}
        undo={(id) => setDisabled.mutateAsync({ id, disabled: false })}
        finished={() => {
          selection.clear();
          void changed();
        }}
      />
    </>
  );
}
