"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application } from "@/trpc/types.ts";

export function RemoveApplication({ application, reason }: { application: Application; reason: string | undefined }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = useMutation(
    trpc.applications.remove.mutationOptions({
      async onSuccess() {
        router.push("/applications");
        await queries.invalidateQueries(trpc.applications.list.infiniteQueryFilter());
        notifications.show({ message: `${application.name} removed.` });
      },
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove ${application.name}?`,
      children: (
        <Text size="sm">
          {application.clients.length > 0 && "Its clients, their secrets and all of their tokens stop working immediately. "}You can’t undo
          this.
        </Text>
      ),
      labels: { confirm: "Remove application", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ id: application.id }),
    });
  return (
    <Permitted reason={reason}>
      <Button color="red" variant="light" loading={remove.isPending} onClick={ask}>
        Remove application
      </Button>
    </Permitted>
  );
}
