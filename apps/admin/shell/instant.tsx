"use client";

import { useMounted } from "@mantine/hooks";
import dayjs from "dayjs";

/** A moment in the reader's time zone; UTC until the browser has taken over, so that both render the same first. */
export function Instant({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const mounted = useMounted();
  const iso = new Date(at * 1000).toISOString();
  const format = seconds ? "D MMM YYYY, HH:mm:ss" : "D MMM YYYY, HH:mm";
  return (
    <time dateTime={iso} title={iso} style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
      {mounted ? dayjs.unix(at).format(format) : `${iso.slice(0, seconds ? 19 : 16).replace("T", " ")} UTC`}
    </time>
  );
}
