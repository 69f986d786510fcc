"use client";

import { useMounted } from "@mantine/hooks";
import { useSyncExternalStore } from "react";
import { useStored } from "./use-stored.ts";

/** In which time zone the reader wants to read times. */
export type Zone = "local" | "utc";

const isZone = (value: unknown): value is Zone => value === "local" || value === "utc";

/** The reader's time zone: their own, or UTC. CO-83. */
export const useZone = (): [Zone, (zone: Zone) => void] => useStored("gatehouse:zone", "local", isZone);

/**
 * The name of the reader's time zone, such as `GMT+1`; undefined until the page is hydrated, since only the browser
 * knows it.
 */
export function useZoneName(): string | undefined {
  const mounted = useMounted();
  const [zone] = useZone();
  if (!mounted) return undefined;
  return zone === "utc" ? "UTC" : zoneNameAt(Date.now() / 1000, zone);
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const UNITS = [
  { unit: "h", seconds: 3600 },
  { unit: "min", seconds: 60 },
  { unit: "s", seconds: 1 },
] as const;

/** "12 min ago", "in 3 h"; undefined when the instant is a day or more away. Both in Unix seconds. */
export function relative(at: number, now: number): string | undefined {
  const away = Math.abs(at - now);
  if (away >= DAY_SECONDS) return undefined;
  if (away < 5) return "now";
  const { unit, seconds } = UNITS.find((one) => away >= one.seconds) ?? UNITS[2];
  const amount = `${Math.floor(away / seconds)} ${unit}`;
  return at <= now ? `${amount} ago` : `in ${amount}`;
}

/** Not those of `Intl`: server and browser can have other versions of its data, and have to render the same. */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Format = { seconds?: boolean; year?: boolean };

/** "3 Nov 2026, 14:02" in the reader's zone. `at` is in Unix seconds. */
export function absolute(at: number, zone: Zone, { seconds = false, year = true }: Format = {}): string {
  const parts = formatter(zone, seconds).formatToParts(new Date(at * 1000));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const date = `${part("day")} ${MONTHS[Number(part("month")) - 1]}${year ? ` ${part("year")}` : ""}`;
  return `${date}, ${part("hour")}:${part("minute")}${seconds ? `:${part("second")}` : ""}`;
}

/**
 * What a chart calls the bar that starts at `at` and covers `stepSeconds`, both in seconds: a day as "3 Nov", an hour
 * as "14:00" in the reader's zone. Days are counted in UTC, so they are named in UTC whatever the zone.
 */
export function barName(at: number, stepSeconds: number, zone: Zone): string {
  const [date = "", time = ""] = absolute(at, stepSeconds < DAY_SECONDS ? zone : "utc", { year: false }).split(", ");
  if (stepSeconds >= DAY_SECONDS) return date;
  return stepSeconds > HOUR_SECONDS ? `${date} ${time}` : time;
}

/** The name of the zone at that instant: it changes with daylight saving time. */
export function zoneNameAt(at: number, zone: Zone): string {
  if (zone === "utc") return "UTC";
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" }).formatToParts(new Date(at * 1000));
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one takes longer than using it. */
function formatter(zone: Zone, seconds: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${seconds}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "numeric",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(seconds && { second: "2-digit" }),
    ...(zone === "utc" && { timeZone: "UTC" }),
  });
  formatters.set(key, made);
  return made;
}

const TICK_MS = 10_000;
const ticking = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time in Unix seconds, 10 seconds at a time: one timer for all times of the page. */
export function useNow(): number {
  return useSyncExternalStore(
    (listener) => {
      ticking.add(listener);
      if (timer === undefined) {
        tick();
        timer = setInterval(tick, TICK_MS);
      }
      return () => {
        ticking.delete(listener);
        if (ticking.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    currentTick,
    () => 0,
  );
}

function tick(): void {
  now = Math.floor(Date.now() / 1000);
  for (const listener of ticking) listener();
}

function currentTick(): number {
  if (now === 0) now = Math.floor(Date.now() / 1000);
  return now;
}
