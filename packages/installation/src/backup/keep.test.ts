import { describe, expect, test } from "vitest";
import { superfluous } from "./keep.ts";

const DAY = 86_400_000;
const LAST = Date.parse("2026-11-28T03:00:00Z"); // a Saturday

/** One backup a day, newest first. */
const daily = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const made_at = new Date(LAST - at * DAY).toISOString();
    return { file: made_at.slice(0, 10), made_at };
  });
const keptOf = (backups: ReturnType<typeof daily>, keep: Parameters<typeof superfluous>[1], verified?: string) => {
  const gone = new Set(superfluous(backups, keep, verified).map(({ file }) => file));
  return backups.map(({ file }) => file).filter((file) => !gone.has(file));
};

describe("OP-51 which backups are kept", () => {
  test("the last seven days, the last of each of four weeks and of six months", () => {
    expect(keptOf(daily(400), { days: 7, weeks: 4, months: 6 })).toEqual([
      "2026-11-28",
      "2026-11-27",
      "2026-11-26",
      "2026-11-25",
      "2026-11-24",
      "2026-11-23",
      "2026-11-22",
      "2026-11-15",
      "2026-11-08",
      "2026-10-31",
      "2026-09-30",
      "2026-08-31",
      "2026-07-31",
      "2026-06-30",
    ]);
  });

  test("the newest and the last verified one are never deleted", () => {
    const none = { days: 0, weeks: 0, months: 0 };
    expect(keptOf(daily(30), none, "2026-11-10")).toEqual(["2026-11-28", "2026-11-10"]);
  });

  test("gaps count for nothing: after a month without backups the days before it stay", () => {
    const before = daily(60).slice(30);
    expect(keptOf(before, { days: 3, weeks: 0, months: 0 })).toEqual(["2026-10-29", "2026-10-28", "2026-10-27"]);
  });

  test("of several on one day the newest stays", () => {
    const day = [3, 9, 15].map((hour) => ({
      file: String(hour),
      made_at: new Date(Date.UTC(2026, 10, 28, hour)).toISOString(),
    }));
    expect(superfluous(day, { days: 7, weeks: 4, months: 6 }, undefined).map(({ file }) => file)).toEqual(["3", "9"]);
  });
});
