"use client";

import { useMounted } from "@mantine/hooks";
import dayjs from "dayjs";

type Props = {
  at: number;
  seconds?: boolean;
  /** Leaves out this year's number: for columns of many. */
  brief?: boolean;
};

/** A moment in the reader's time zone; UTC until the browser has taken over, so that both render the same first. */
export function Instant({ at, seconds = false, brief = false }: Props) {
  const mounted = useMounted();
  const iso = new Date(at * 1000).toISOString();
  return (
    <time dateTime={iso} title={iso} style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
      {mounted ? local(at, seconds, brief) : `${iso.slice(brief ? 5 : 0, seconds ? 19 : 16).replace("T", " ")} UTC`}
    </time>
  );
}

function local(at: number, seconds: boolean, brief: boolean): string {
  const moment = dayjs.unix(at);
  const day = brief && moment.isSame(dayjs(), "year") ? "D MMM" : "D MMM YYYY";
  return moment.format(`${day}, ${seconds ? "HH:mm:ss" : "HH:mm"}`);
}
