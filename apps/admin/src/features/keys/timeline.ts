import type { KeyView } from "@/trpc/types.ts";

/** Part of a key's life, as percentages of the timeline's width. */
export type Span = { part: "published" | "signs" | "retired"; start: number; width: number };
export type Timeline = { now: number; rows: { kid: string; spans: Span[] }[] };

/** The axis shows at most this much of the past, so that what happens next has room. */
const PAST_SECONDS = 35 * 86_400;

/** Lays the keys out on one axis, from the earliest time shown to when the last key leaves. Times are Unix seconds. */
export function timelineOf(keys: readonly KeyView[], now: number): Timeline {
  const from = Math.max(Math.min(now, ...keys.map(({ publishedAt }) => publishedAt)), now - PAST_SECONDS);
  const to = Math.max(now + 86_400, ...keys.map(({ goneAt }) => goneAt));
  const place = (at: number) => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * 100;
  const span = (part: Span["part"], start: number, end: number): Span[] => {
    const width = place(end) - place(start);
    return width > 0 ? [{ part, start: place(start), width }] : [];
  };
  return {
    now: place(now),
    rows: keys.map(({ kid, publishedAt, signsFrom, signsUntil, goneAt }) => ({
      kid,
      spans: [
        ...span("published", publishedAt, signsFrom),
        ...span("signs", signsFrom, signsUntil),
        ...span("retired", Math.max(signsFrom, signsUntil), goneAt),
      ],
    })),
  };
}
