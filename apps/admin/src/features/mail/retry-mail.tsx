"use client";

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailItem } from "@/trpc/types.ts";

/** Sends a failed mail again. */
export function RetryMail({ mail: { id, recipient } }: { mail: Pick<MailItem, "id" | "recipient"> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const retry = useMutation(
    trpc.mails.retry.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.mails.pathFilter());
        toastChanged(`The mail to ${recipient} is tried again.`);
      },
    }),
  );
  return (
    <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate({ id })}>
      Send again
    </Button>
  );
}
