/** Pause between two writes while items arrive faster than they are kept. */
const PAUSE_MS = 200;
/** Pause while they arrive faster than they are written, so that more of them share a commit. OP-89 */
const GATHER_MS = 20;
/** How many keys' rows are counted in memory, to know when their rows have to be trimmed. */
const MAX_COUNTERS = 10_000;

/** What arrived for one key since the last write: everything counted, and the newest items. */
export type Batch<Item, Tally> = { key: string; tally: Tally; newest: readonly Item[] };

type Waiting<Item, Tally> = {
  tally: Tally;
  newest: { item: Item; done: () => void; failed: (cause: unknown) => void }[];
};

/**
 * Writes what strangers can cause in any number. Items that arrive during a write are written together by the next; of
 * each key only the newest `most`, and the rest are counted. So a flood costs a bounded number of rows, and none of
 * them is another key's. `place` says which key an item has, given those that wait, and how its count starts. The
 * returned function resolves when the item is stored or dropped, and rejects if the write failed.
 */
export function createBoundedWrites<Item, Tally>({
  most,
  place,
  count,
  write,
}: {
  most: number;
  place: (item: Item, waiting: { has(key: string): boolean; size: number }) => { key: string; start: () => Tally };
  count: (tally: Tally, item: Item) => void;
  write: (batches: readonly Batch<Item, Tally>[]) => Promise<void>;
}): (item: Item) => Promise<void> {
  let waiting = new Map<string, Waiting<Item, Tally>>();
  let outnumbered = false;
  let writing = false;

  function add(item: Item, { done, failed }: { done: () => void; failed: (cause: unknown) => void }): void {
    const { key, start } = place(item, waiting);
    const known: Waiting<Item, Tally> = waiting.get(key) ?? { tally: start(), newest: [] };
    waiting.set(key, known);
    count(known.tally, item);
    known.newest.push({ item, done, failed });
    if (known.newest.length <= most) return;
    outnumbered = true;
    known.newest.shift()?.done();
  }

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.size > 0) {
      const taken = [...waiting];
      const pause = outnumbered;
      waiting = new Map();
      outnumbered = false;
      try {
        await write(taken.map(([key, { tally, newest }]) => ({ key, tally, newest: newest.map(({ item }) => item) })));
        for (const [, { newest }] of taken) for (const { done } of newest) done();
      } catch (cause) {
        for (const [, { newest }] of taken) for (const { failed } of newest) failed(cause);
      }
      const pauseMs = pause ? PAUSE_MS : GATHER_MS;
      if (pause || waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    writing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      add(item, { done: resolve, failed: reject });
      if (!writing) void writeAll();
    });
}

/** Says that a key's rows have to be trimmed: once for every `most` rows that this process writes to it. */
export function createTrimTimes(most: number): (key: string, rows: number) => boolean {
  const untrimmed = new Map<string, number>();
  return (key, rows) => {
    if (untrimmed.size >= MAX_COUNTERS) untrimmed.clear();
    const written = (untrimmed.get(key) ?? 0) + rows;
    const due = written >= most;
    untrimmed.set(key, due ? 0 : written);
    return due;
  };
}
