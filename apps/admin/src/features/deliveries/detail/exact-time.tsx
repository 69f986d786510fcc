"use client";

import { useMounted } from "@mantine/hooks";
import dayjs from "dayjs";

/** A time of day with milliseconds, in the user's time zone. Renders UTC until hydrated. In: Unix milliseconds. */
export function ExactTime({ ms }: { ms: number }) {
  const mounted = useMounted();
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={iso} className="exact-time">
      {mounted ? dayjs(ms).format("HH:mm:ss.SSS") : `${iso.slice(11, 23)} UTC`}
    </time>
  );
}

/** "4 min ago", once hydrated and under a day; nothing otherwise. In: Unix seconds. CO-83. */
export function Ago({ at }: { at: number }) {
  const mounted = useMounted();
  const text = mounted ? agoText(dayjs().unix() - at) : undefined;
  return text === undefined ? null : <> · {text}</>;
}

function agoText(seconds: number): string | undefined {
  if (seconds < 0 || seconds >= 86_400) return undefined;
  if (seconds < 60) return `${seconds} s ago`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`;
}
