"use client";

import { Button, Group, Modal, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconMailForward } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { useMe } from "@/components/me.tsx";
import { RoleName } from "@/components/role-badge.tsx";
import { EmptyState } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { InvitationItem, InvitationSent } from "@/trpc/types.ts";
import { InvitationOutcome, titleOf } from "./invite-user.tsx";
import { UsersHeader } from "./users-header.tsx";

const STATES = {
  pending: { tone: "open", label: "Pending" },
  accepted: { tone: "good", label: "Accepted" },
  expired: { tone: "past", label: "Expired" },
} as const;

/** Invitations of the last 90 days that were not withdrawn. UM-01. */
export function InvitationList() {
  const trpc = useTRPC();
  const query = useInfiniteQuery({
    ...useListPlace(trpc.invitations.list.infiniteQueryOptions(listInput({}), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <UsersHeader active="invitations" />
      <List
        query={query}
        filtered={false}
        filters={null}
        empty={
          <EmptyState icon={<IconMailForward size={26} />} title="No invitations">
            Invite somebody by email. They choose their own password or passkey, and get the role that you choose here.
          </EmptyState>
        }
        noMatch={{ title: "No invitations", text: "" }}
        skeleton={{ rows: 4, height: 44 }}
      >
        {(invitations) => <InvitationTable invitations={invitations} />}
      </List>
    </>
  );
}

const COLUMNS: readonly Column<InvitationItem>[] = [
  {
    id: "email",
    title: "Email",
    render: ({ email, invitedByName }) => (
      <div style={{ minWidth: 150, overflowWrap: "anywhere" }}>
        <Text size="sm" fw={500}>
          {email}
        </Text>
        <Text size="xs" c="dimmed">
          by {invitedByName ?? "the command line"}
        </Text>
      </div>
    ),
  },
  { id: "role", title: "Role", render: ({ role }) => <RoleName role={role} /> },
  {
    id: "state",
    title: "Status",
    render: ({ state }) => <StatusDot tone={STATES[state].tone}>{STATES[state].label}</StatusDot>,
  },
  {
    id: "expires",
    title: "Valid until",
    time: true,
    from: "medium",
    render: ({ expiresAt }) => <Timestamp at={expiresAt} />,
  },
];

const ACTIONS: Column<InvitationItem> = {
  id: "actions",
  title: "Actions",
  numeric: true,
  render: (invitation) => invitation.state !== "accepted" && <InvitationActions invitation={invitation} />,
};

function InvitationTable({ invitations }: { invitations: InvitationItem[] }) {
  const { can } = useMe();
  const columns = can.manageUsers ? [...COLUMNS, ACTIONS] : COLUMNS;
  return (
    <DataTable name="invitations" label="Invitations" rows={invitations} columns={columns} rowId={({ id }) => id} />
  );
}

function InvitationActions({ invitation: { id, email, state } }: { invitation: InvitationItem }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [remade, setRemade] = useState<InvitationSent>();
  const changed = () => queries.invalidateQueries(trpc.invitations.pathFilter());
  const resend = useMutation(
    trpc.invitations.resend.mutationOptions({
      async onSuccess(made) {
        await changed();
        setRemade(made);
      },
    }),
  );
  const withdraw = useMutation(trpc.invitations.withdraw.mutationOptions({ onSuccess: changed }));
  const ask = () =>
    modals.openConfirmModal({
      title: `Withdraw the invitation of ${email}?`,
      children: <Text size="sm">Its link stops working at once. You can invite the same address again.</Text>,
      labels: { confirm: "Withdraw", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => withdraw.mutate({ id }),
    });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="subtle"
        loading={resend.isPending}
        onClick={() => confirmed(() => resend.mutate({ id }))}
      >
        Resend
      </Button>
      {state === "pending" && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          loading={withdraw.isPending}
          onClick={() => confirmed(ask)}
        >
          Withdraw
        </Button>
      )}
      <Modal
        opened={remade !== undefined}
        onClose={() => setRemade(undefined)}
        title={remade === undefined ? undefined : titleOf(remade)}
      >
        {remade && <InvitationOutcome invitation={remade} close={() => setRemade(undefined)} />}
      </Modal>
    </Group>
  );
}
