"use client";

import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useCanManage } from "@/components/me.tsx";
import type { Environment } from "@/trpc/types.ts";

/**
 * Says why the user can't change clients of this environment; nothing if they can, or if their role can change none.
 * CO-02.
 */
export function ReadOnlyNote({ environment }: { environment: Environment }) {
  const { hide, reason } = useCanManage(environment);
  if (hide || reason === undefined) return null;
  return (
    <Alert variant="light" color="gray" icon={<IconLock aria-hidden="true" />}>
      {reason}
    </Alert>
  );
}
