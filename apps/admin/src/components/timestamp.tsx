"use client";

import { useMounted } from "@mantine/hooks";
import type { ClipboardEvent } from "react";
import { absolute, relative, useNow, useZone, zoneNameAt } from "./times.ts";

type Props = {
  /** Unix seconds. */
  at: number;
  /** An exact time, for logs: never relative. */
  seconds?: boolean;
  /** Omits the current year, for table columns. */
  brief?: boolean;
};

/**
 * A time: relative under a day, absolute always in its title. Copying it gives ISO 8601 in UTC. Renders UTC until
 * hydrated, so that server and browser render the same markup. CO-83.
 */
export function Timestamp({ at, seconds = false, brief = false }: Props) {
  const mounted = useMounted();
  const now = useNow();
  const [zone] = useZone();
  const iso = new Date(at * 1000).toISOString();
  const copyIso = (event: ClipboardEvent) => {
    event.clipboardData.setData("text/plain", iso);
    event.preventDefault();
  };
  // The server's year cannot be compared with the browser's before that: around New Year they differ.
  const year = !brief || (mounted && new Date(at * 1000).getUTCFullYear() !== new Date(now * 1000).getUTCFullYear());
  return (
    <time
      dateTime={iso}
      title={mounted ? `${absolute(at, zone, { seconds: true })} ${zoneNameAt(at, zone)}` : iso}
      onCopy={copyIso}
      style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "var(--time-wrap, nowrap)" }}
    >
      {(mounted && !seconds ? relative(at, now) : undefined) ?? absolute(at, mounted ? zone : "utc", { seconds, year })}
    </time>
  );
}
