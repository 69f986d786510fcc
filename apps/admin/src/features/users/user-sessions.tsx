"use client";

import { MAX_LISTED_SESSIONS } from "@gatehouse/lists";
import { describeBrowser } from "@gatehouse/ui/browser";
import { Button, Checkbox, Group, Modal, Paper, Stack, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/me.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Session } from "@/trpc/types.ts";

/** A user's sessions, newest first, with buttons to end them. */
export function UserSessions({ userId }: { userId: string }) {
  const { can } = useMe();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ userId }));
  const onSuccess = () => queries.invalidateQueries(trpc.sessions.list.queryFilter({ userId }));
  const revoke = useMutation(trpc.sessions.revoke.mutationOptions({ onSuccess }));
  const revokeAll = useMutation(
    trpc.sessions.revokeAll.mutationOptions({
      async onSuccess() {
        notifications.show({ color: "teal", message: "Signed out everywhere." });
        await onSuccess();
      },
    }),
  );
  const [asking, dialog] = useDisclosure();
  const [apps, setApps] = useState(false);

  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Sessions
        </Title>
        {can.manageUsers && (
          <Button variant="default" size="xs" loading={revokeAll.isPending} onClick={dialog.open}>
            Sign out everywhere
          </Button>
        )}
      </Group>
      <Modal opened={asking} onClose={dialog.close} title="Sign out everywhere?">
        <Stack>
          <Text size="sm">
            This ends every session immediately and revokes all tokens of the console and other first-party applications.
          </Text>
          <Checkbox
            label="Also revoke the access of all other applications"
            checked={apps}
            onChange={({ currentTarget }) => setApps(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              Cancel
            </Button>
            <Button
              color="red"
              onClick={() => {
                revokeAll.mutate({ userId, apps });
                dialog.close();
              }}
            >
              Sign out everywhere
            </Button>
          </Group>
        </Stack>
      </Modal>
      {sessions.isPending && <RowsSkeleton rows={2} height={36} />}
      {sessions.isError && <LoadError error={sessions.error} retry={sessions.refetch} />}
      {sessions.data?.length === 0 && <Text size="sm">No active sessions.</Text>}
      {sessions.data && sessions.data.length > 0 && (
        <SessionTable
          sessions={sessions.data}
          {...(can.manageUsers ? { revoke: (sessionId: string) => revoke.mutate({ userId, sessionId }) } : {})}
        />
      )}
      {sessions.data?.length === MAX_LISTED_SESSIONS && (
        <Text size="sm" c="dimmed" mt="sm">
          Showing the {MAX_LISTED_SESSIONS} most recent sessions. {can.manageUsers && "“Sign out everywhere” also ends older ones."}
        </Text>
      )}
    </Paper>
  );
}

function SessionTable({ sessions, revoke }: { sessions: Session[]; revoke?: (sessionId: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={600} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Sessions" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            <Table.Th>IP address</Table.Th>
            <Table.Th>Signed in</Table.Th>
            <Table.Th>Last active</Table.Th>
            {revoke && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <span title={userAgent ?? ""}>{describeBrowser(userAgent)}</span>
              </Table.Td>
              <Table.Td>{address ?? "Unknown"}</Table.Td>
              <Table.Td>
                <Timestamp at={createdAt} />
              </Table.Td>
              <Table.Td>
                <Timestamp at={lastSeenAt} />
              </Table.Td>
              {revoke && (
                <Table.Td ta="right">
                  <Button size="compact-xs" variant="subtle" color="red" onClick={() => revoke(id)}>
                    End session
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
