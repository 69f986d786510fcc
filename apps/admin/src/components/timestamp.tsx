"use client";

import { useMounted } from "@mantine/hooks";
import dayjs from "dayjs";

type Props = {
  /** Unix seconds. */
  at: number;
  seconds?: boolean;
  /** Omits the current year, for table columns. */
  brief?: boolean;
};

/** A time in the user's time zone. Renders UTC until hydrated, so that server and browser render the same markup. */
export function Timestamp({ at, seconds = false, brief = false }: Props) {
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
