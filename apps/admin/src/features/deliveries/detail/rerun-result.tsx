"use client";

import { Loader, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { visibleText } from "@/components/code/visible-text.ts";
import { LoadError } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";

const POLL_MS = 1_000;
const ENDED: ReadonlySet<string | undefined> = new Set(["done", "cancelled", "failed"]);

/** How running one delivery again goes, and how it ended. Refreshes the delivery when it has. */
export function RerunResult({ rerunId, deliveryId }: { rerunId: string; deliveryId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const progress = useQuery(
    trpc.deliveries.rerunProgress.queryOptions(
      { rerunId },
      { refetchInterval: ({ state }) => (ENDED.has(state.data?.state) ? false : POLL_MS) },
    ),
  );
  const ended = ENDED.has(progress.data?.state);
  useEffect(() => {
    if (!ended) return;
    void queryClient.invalidateQueries(trpc.deliveries.attempts.queryFilter({ id: deliveryId }));
    void queryClient.invalidateQueries(trpc.deliveries.get.queryFilter({ id: deliveryId }));
  }, [ended, queryClient, trpc, deliveryId]);

  if (progress.isError) return <LoadError error={progress.error} retry={progress.refetch} />;
  return (
    <div role="status">
      {ended ? (
        <Text size="sm" fw={550}>
          {verdictOf(progress.data)}
        </Text>
      ) : (
        <Text size="sm" component="div">
          <Loader size={14} mr={8} aria-hidden="true" />
          {progress.data?.state === "running" ? "Running the handlers…" : "Waiting for a worker…"}
        </Text>
      )}
      {progress.data?.problems.map(({ message }) => (
        <Text key={message} size="sm" mt="xs" className="attempt-error">
          {visibleText(message)}
        </Text>
      ))}
    </div>
  );
}

function verdictOf(result: { succeeded: number; failed: number; skipped: number } | undefined): string {
  if (!result) return "";
  if (result.failed > 0) return "A handler failed.";
  return result.succeeded > 0 ? "Every handler succeeded." : "No handler ran.";
}
