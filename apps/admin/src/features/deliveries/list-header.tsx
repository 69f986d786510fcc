"use client";

import { Button, Group, NativeSelect } from "@mantine/core";
import { IconDownload, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import type { Environment } from "@/trpc/types.ts";

type Props = { environment: Environment | undefined; live: boolean; setLive: (live: boolean) => void; download: () => void };

/** The page's title and actions. */
export function ListHeader({ environment, live, setLive, download }: Props) {
  return (
    <PageHeader
      title="Deliveries"
      description="Every webhook request this server received, accepted or rejected."
      action={
        <Group gap="xs">
          <NativeSelect
            aria-label="Environment"
            value={environment ?? ""}
            onChange={({ currentTarget }) => changeQuery({ environment: currentTarget.value }, { push: true })}
            data={[
              { value: "", label: "All environments" },
              ...environmentNames.map((value) => ({ value, label: ENVIRONMENTS[value].label })),
            ]}
          />
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
