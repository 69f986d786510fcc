"use client";

import { Group } from "@mantine/core";
import type { Delivery } from "@/trpc/types.ts";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { RunAgain } from "./run-again.tsx";

/** What can be done with a delivery. What a role may never do is not drawn. CO-02. */
export function DeliveryActions({ delivery }: { delivery: Delivery }) {
  const { payload, rerun } = delivery;
  const seesPayload = payload.view === "shown" || payload.canReveal;
  return (
    <Group gap="xs">
      {seesPayload && <CopyAsCurl delivery={delivery} />}
      {(rerun.allowed || rerun.reason !== null) && <RunAgain delivery={delivery} />}
    </Group>
  );
}
