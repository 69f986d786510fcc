"use client";

import { Button, Group } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { EmptyState } from "@/components/state.tsx";

export default function ConsoleError({ reset }: { error: Error; reset: () => void }) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <EmptyState
      icon={<IconPlugConnectedX size={26} />}
      title="Something went wrong"
      action={
        <Group justify="center">
          <Button onClick={retry}>Try again</Button>
        </Group>
      }
    >
      The Gatehouse server returned an unexpected response. Check that it is running, then try again.
    </EmptyState>
  );
}
