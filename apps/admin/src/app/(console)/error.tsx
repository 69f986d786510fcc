"use client";

import { Button, Group } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { EmptyState } from "@/components/state.tsx";

export default function ConsoleError({ reset }: { error: Error; reset: () => void }) {
  const router = useRouter();
  const again = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <EmptyState
      icon={<IconPlugConnectedX size={26} />}
      title="This page could not be shown"
      action={
        <Group justify="center">
          <Button onClick={again}>Try again</Button>
        </Group>
      }
    >
      The Gatehouse server did not answer as expected. Check that it is running, then try again.
    </EmptyState>
  );
}
