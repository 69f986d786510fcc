"use client";

import { Anchor, Button, Group, Progress, ScrollArea, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useEffectEvent } from "react";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { Rerun } from "@/trpc/types.ts";
import { cutMiddle } from "./format.ts";

const POLL_MS = 1_000;
const isOver = ({ state }: Rerun) => state === "done" || state === "cancelled" || state === "failed";

const TITLES: Record<Rerun["state"], string> = {
  queued: "Waiting to run",
  running: "Running handlers again",
  done: "Handlers have run again",
  cancelled: "Stopped",
  failed: "The run stopped early",
};

/** A run of handlers: how far it is, what failed, and how to stop it. `finished` is called when it is over. */
export function Run({ rerunId, finished, close }: { rerunId: string; finished: () => void; close: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.deliveries.rerunProgress.queryOptions(
      { rerunId },
      { refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : POLL_MS) },
    ),
  );
  const over = data !== undefined && isOver(data);
  const whenFinished = useEffectEvent(finished);
  useEffect(() => {
    if (over) whenFinished();
  }, [over]);

  if (data === undefined)
    return error ? <LoadError error={error} retry={refetch} /> : <RowsSkeleton rows={2} height={32} />;
  return (
    <Stack>
      <Counts run={data} />
      {data.problems.length > 0 && <Problems problems={data.problems} />}
      <Actions run={data} close={close} />
    </Stack>
  );
}

function Counts({ run: { state, done, total, totalKnown, succeeded, failed, skipped } }: { run: Rerun }) {
  const share = total === 0 ? 0 : (done / total) * 100;
  const over = state === "done" || state === "cancelled" || state === "failed";
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={500} role="status">
          {TITLES[state]}
        </Text>
        <Text size="sm" c="dimmed">
          {done} of {total}
          {!totalKnown && " or more"}
        </Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={state === "done" ? 100 : share}
          color={failed > 0 ? "yellow" : "indigo"}
          aria-label="Progress"
          striped={!over}
        />
      </Progress.Root>
      <Text size="sm" mt={8}>
        {succeeded} succeeded · {failed} failed · {skipped} skipped
      </Text>
    </div>
  );
}

function Problems({ problems }: { problems: Rerun["problems"] }) {
  return (
    <ScrollArea.Autosize mah={260} type="auto">
      <Table aria-label="Deliveries with problems" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Delivery</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {problems.map(({ deliveryId, verdict, message }) => (
            <Table.Tr key={deliveryId}>
              <Table.Td>
                <Anchor component={Link} href={`/deliveries/${deliveryId}`} size="sm" ff="monospace" prefetch={false}>
                  {cutMiddle(deliveryId, 16)}
                </Anchor>
              </Table.Td>
              <Table.Td>{verdict === "failed" ? "Failed" : "Skipped"}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

function Actions({ run, close }: { run: Rerun; close: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const again = useMutation(
    trpc.deliveries.rerunMany.mutationOptions({ onSuccess: ({ rerunId }) => changeQuery({ rerun: rerunId }) }),
  );
  const cancel = useMutation(
    trpc.deliveries.cancelRerun.mutationOptions({
      onSuccess: () =>
        queryClient.invalidateQueries({ queryKey: trpc.deliveries.rerunProgress.queryKey({ rerunId: run.id }) }),
    }),
  );
  const failed = run.problems.filter(({ verdict }) => verdict === "failed").map(({ deliveryId }) => deliveryId);
  return (
    <Group justify="flex-end">
      {!isOver(run) && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ rerunId: run.id })}>
          Stop
        </Button>
      )}
      {isOver(run) && failed.length > 0 && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ ids: failed })}>
          Run the {failed.length} failed again
        </Button>
      )}
      <Button onClick={close}>{isOver(run) ? "Done" : "Continue in background"}</Button>
    </Group>
  );
}
