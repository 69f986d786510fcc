"use client";

import { Button, Group } from "@mantine/core";
import { IconDownload, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useStartingEnvironment } from "@/components/installation.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { SendTestEventButton } from "@/features/webhooks/send-test-event-button.tsx";
import { useDeliveryFilters } from "./use-delivery-filters.ts";

type Props = { live: boolean; setLive: (live: boolean) => void; download: () => void; sent: () => void };

/** The page's title and actions. */
export function ListHeader({ live, setLive, download, sent }: Props) {
  const { endpoint } = useDeliveryFilters().values;
  useEnvironment(useStartingEnvironment());
  return (
    <PageFrame
      title="Deliveries"
      description="Every webhook request this server received, accepted or rejected."
      actions={
        <Group gap="xs">
          <SendTestEventButton slug={endpoint} sent={sent} />
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden="true" />} onClick={download}>
            Export
          </Button>
          <LiveButton live={live} setLive={setLive} />
        </Group>
      }
    />
  );
}

function LiveButton({ live, setLive }: Pick<Props, "live" | "setLive">) {
  const Icon = live ? IconPlayerPause : IconPlayerPlay;
  return (
    <Button
      variant={live ? "light" : "default"}
      aria-pressed={live}
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={() => setLive(!live)}
    >
      Live
    </Button>
  );
}
