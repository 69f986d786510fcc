/** How many requests run at once: in total, for each asker, and to each host. */
export type TurnLimits = { places: number; perAsker: number; perHost: number; maxWaiting: number };
/** Who asks for a place, and which host the request goes to. */
export type Turn = { asker: string; host: string };
/**
 * Waits for a place; resolves to the function that gives it back. Rejects when `signal` aborts, or to make room for
 * other askers.
 */
export type TakeTurn = (turn: Turn, signal: AbortSignal) => Promise<() => void>;

type Waiter = Turn & { admit(): void; reject(reason: unknown): void };

/**
 * Shares places among askers: a free one goes to the asker who has the fewest, so that one with a thousand requests
 * delays the others by one. When too many wait, the asker with the most loses its newest.
 */
export function createTurns({ places, perAsker, perHost, maxWaiting }: TurnLimits): TakeTurn {
  /** By asker; the one who was served last comes last. */
  const waiting = new Map<string, Waiter[]>();
  const running = { total: 0, askers: new Map<string, number>(), hosts: new Map<string, number>() };
  let waitingInAll = 0;

  function admitNext(): void {
    while (running.total < places) {
      const next = findNext();
      if (!next) return;
      remove(next);
      moveBack(next.asker);
      next.admit();
    }
  }

  function moveBack(asker: string): void {
    const waiters = waiting.get(asker);
    if (waiters && waiting.delete(asker)) waiting.set(asker, waiters);
  }

  /** Of those whose host is free, one of the asker who has the fewest places and has waited longest. */
  function findNext(): Waiter | undefined {
    let best: Waiter | undefined;
    let fewest = perAsker;
    for (const [asker, waiters] of waiting) {
      const held = running.askers.get(asker) ?? 0;
      const found = held < fewest ? waiters.find(({ host }) => (running.hosts.get(host) ?? 0) < perHost) : undefined;
      if (!found) continue;
      best = found;
      fewest = held;
    }
    return best;
  }

  function remove(waiter: Waiter): void {
    const rest = (waiting.get(waiter.asker) ?? []).filter((one) => one !== waiter);
    if (rest.length === 0) waiting.delete(waiter.asker);
    else waiting.set(waiter.asker, rest);
    waitingInAll -= 1;
  }

  /**
   * Of askers with equally many, the one who came last gives way: nobody who waits is put out by those who come later.
   */
  function makeRoom(): void {
    let longest: Waiter[] = [];
    for (const waiters of waiting.values()) if (waiters.length >= longest.length) longest = waiters;
    const newest = longest.at(-1);
    if (!newest) return;
    remove(newest);
    newest.reject(new Error("too many requests wait for a place"));
  }

  function occupy({ asker, host }: Turn): () => void {
    const change = (by: 1 | -1) => {
      running.total += by;
      count(running.askers, asker, by);
      count(running.hosts, host, by);
    };
    change(1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(-1);
      admitNext();
    };
  }

  return (turn, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        remove(waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        ...turn,
        admit() {
          signal.removeEventListener("abort", abort);
          resolve(occupy(turn));
        },
        reject(reason) {
          signal.removeEventListener("abort", abort);
          reject(reason);
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      waiting.set(turn.asker, [...(waiting.get(turn.asker) ?? []), waiter]);
      waitingInAll += 1;
      admitNext();
      if (waitingInAll > maxWaiting) makeRoom();
    });
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
