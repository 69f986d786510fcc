"use client";

import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { useInterval, useMounted } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import styles from "./delivery-list.module.css";

type Props = {
  shown: number;
  more: boolean;
  /** Unix milliseconds. */
  updatedAtMs: number;
  live: "off" | "on" | "failing";
  refresh: () => void;
};

const number = new Intl.NumberFormat("en");

/** How many rows are shown, and how old they are. */
export function Freshness({ shown, more, updatedAtMs, live, refresh }: Props) {
  const mounted = useMounted();
  return (
    <Group gap={8} ml="auto" className={styles["freshness"] ?? ""} wrap="nowrap">
      <span>
        {number.format(shown)}
        {more ? ", more" : ""}
      </span>
      {live === "off" && mounted && <Age atMs={updatedAtMs} />}
      {live === "on" && <span className={styles["live"]}>Live</span>}
      {live === "failing" && <span role="status">Can’t reach the server. Trying again.</span>}
      {live === "off" && (
        <Tooltip label="Refresh">
          <ActionIcon variant="subtle" color="gray" aria-label="Refresh" onClick={refresh}>
            <IconRefresh size={15} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

/** "Updated 12 s ago". */
function Age({ atMs }: { atMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), 5_000, { autoInvoke: true });
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1000));
  if (seconds < 5) return <span>Updated now</span>;
  return (
    <span>
      Updated {seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : "over an hour"} ago
    </span>
  );
}
