"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { SessionTable } from "@/features/users/session-table.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Where the user is signed in, with this browser marked; the others can be ended. CO-89. */
export function YourSessions({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="Your sessions" size="xl">
      <Sessions />
    </Modal>
  );
}

function Sessions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const sessions = useQuery(trpc.sessions.mine.queryOptions());
  const changed = () => queries.invalidateQueries(trpc.sessions.mine.queryFilter());
  const end = useMutation(trpc.sessions.endMine.mutationOptions({ onSettled: changed }));
  if (sessions.isPending) return <RowsSkeleton rows={2} height={44} />;
  if (sessions.isError) return <LoadError error={sessions.error} retry={sessions.refetch} />;
  const others = sessions.data.filter(({ current }) => !current);
  const endOthers = async () => {
    for (const { id } of others) await end.mutateAsync({ sessionId: id });
    toastChanged(others.length === 1 ? "One session ended." : `${others.length} sessions ended.`);
  };
  return (
    <Stack>
      <CurrentSession sessions={sessions.data} />
      <SessionTable sessions={sessions.data} revoke={(sessionId) => end.mutate({ sessionId })} keepCurrent />
      {others.length > 0 && (
        <Group justify="flex-end">
          <Button variant="default" loading={end.isPending} onClick={() => void endOthers()}>
            End all others
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function CurrentSession({
  sessions,
}: {
  sessions: readonly { current: boolean; createdAt: number; expiresAt: number }[];
}) {
  const current = sessions.find((session) => session.current);
  if (!current) return null;
  return (
    <Text size="sm">
      You signed in here <Timestamp at={current.createdAt} />. This session ends <Timestamp at={current.expiresAt} />,
      or earlier if you don’t use it.
    </Text>
  );
}
