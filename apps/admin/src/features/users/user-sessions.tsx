"use client";

import { MAX_LISTED_SESSIONS } from "@gatehouse/console/lists/lists";
import { Button, Checkbox, Group, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/me.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { ReasonModal } from "./reason-modal.tsx";
import { SessionTable } from "./session-table.tsx";
import { SignOutEffects } from "./sign-out-effects.tsx";

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
        toastChanged("Signed out everywhere.");
        await Promise.all([onSuccess(), queries.invalidateQueries(trpc.users.pathFilter())]);
      },
    }),
  );
  const [asking, dialog] = useDisclosure();
  const [apps, setApps] = useState(true);

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
      <ReasonModal
        opened={asking}
        close={dialog.close}
        title="Sign out everywhere?"
        text="This ends every session and the access of every application at once, offline access included."
        action="Sign out everywhere"
        onConfirm={(reason) => revokeAll.mutate({ userId, apps, reason })}
      >
        <SignOutEffects userId={userId} sessions={sessions.data?.length} />
        <Checkbox
          label="Also delete what the user allowed, so that each application has to ask again"
          checked={apps}
          onChange={({ currentTarget }) => setApps(currentTarget.checked)}
        />
      </ReasonModal>
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
          Showing the {MAX_LISTED_SESSIONS} most recent sessions.{" "}
          {can.manageUsers && "“Sign out everywhere” also ends older ones."}
        </Text>
      )}
    </Paper>
  );
}
