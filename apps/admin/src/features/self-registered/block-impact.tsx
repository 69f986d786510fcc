"use client";

import { Alert, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { ClientBlock } from "@/trpc/types.ts";

export type BlockTarget = Pick<ClientBlock, "kind" | "value">;

/** What a block is about. */
export const WHAT: Record<ClientBlock["kind"], { label: string; text: string }> = {
  client_id: {
    label: "client",
    text: "This client can’t sign users in any more, and its tokens become invalid at once.",
  },
  document_host: {
    label: "host",
    text: "Every client whose metadata document is on this host or below it stops working at once, and new ones are rejected.",
  },
  software_id: {
    label: "software",
    text: "Every client with this software id stops working at once, and new ones are rejected.",
  },
};

/** How many clients a block stops or, if it is in force, how many work again without it. CO-61. */
export function BlockImpact({ target }: { target: BlockTarget }) {
  const { kind, value } = target;
  const { data, error } = useQuery(useTRPC().clientBlocks.impact.queryOptions({ kind, value }, { staleTime: 0 }));
  if (error)
    return (
      <Alert color="yellow" variant="light">
        We couldn’t tell which clients are affected: {messageOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton h={20} role="status" aria-label="Checking which clients are affected" />;
  return (
    <Text size="sm" data-testid="impact">
      {sentence(data.inForce, data.clients)}
    </Text>
  );
}

function sentence(inForce: boolean, { count, more }: { count: number; more: boolean }): string {
  const many = `${count.toLocaleString("en")}${more ? "+" : ""} client${count === 1 && !more ? "" : "s"}`;
  if (inForce)
    return count === 0
      ? "No client works again: another block applies, or none is registered."
      : `${many} can sign users in again.`;
  return count === 0
    ? "No client that is registered now is affected."
    : `${many} stop${count === 1 && !more ? "s" : ""} working.`;
}
