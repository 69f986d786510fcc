"use client";

import type { DeliveryFilter } from "@gatehouse/console/lists/lists";
import { useEffect, useEffectEvent, useState } from "react";
import { useTRPCClient } from "@/trpc/client.tsx";
import type { DeliveryItem, DeliveryPage } from "@/trpc/types.ts";

/** CO-54. */
const POLL_MS = 2_000;
/** While the server does not answer, the pause between two polls doubles up to this. */
const SLOWEST_POLL_MS = 32_000;
const PAGE_SIZE = 100;
/** The list holds at most this many live rows; then it starts afresh. */
const MOST_ROWS = 500;
/** Handlers run after a delivery is stored: rows this young whose handlers are pending are asked for again. */
const UNSETTLED_SECONDS = 120;

type Arrived = {
  /** Part of the list. Newest first, like all of these. */
  shown: readonly DeliveryItem[];
  waiting: readonly DeliveryItem[];
  /** More has arrived than is kept: the list has to start afresh. */
  overflow: boolean;
  /** Newer states of rows that the list has. */
  updates: ReadonlyMap<string, DeliveryItem>;
};

const NOTHING: Arrived = { shown: [], waiting: [], overflow: false, updates: new Map() };

type Options = {
  filter: DeliveryFilter;
  /** The rows that the list has loaded, newest first. */
  loaded: readonly DeliveryItem[];
  enabled: boolean;
  /** The reader is not at the top of the list, or has selected rows: new rows have to wait. */
  hold: boolean;
  /** Loads the list afresh. */
  restart: () => void;
};

/**
 * New deliveries, asked for every two seconds in a visible tab. They join the list at once or, while `hold`, wait until
 * `show` is called. Switching off keeps the rows and the count.
 */
export function useLive({ filter, loaded, enabled, hold, restart }: Options) {
  // What arrived under other filters does not count.
  const under = JSON.stringify(filter);
  const [state, setState] = useState({ under, arrived: NOTHING });
  const arrived = state.under === under ? state.arrived : NOTHING;
  const setArrived = (next: Arrived) => setState({ under, arrived: next });
  const { shown, waiting, overflow, updates } = arrived;
  const items = [...shown, ...loaded].map((item) => updates.get(item.id) ?? item);

  const failing = usePolling(enabled && !overflow, filter, [...waiting, ...items], (page) => {
    const known = new Set([...waiting, ...items].map(({ id }) => id));
    const fresh = page.items.filter(({ id }) => !known.has(id));
    const tooMany =
      (page.nextCursor !== null && fresh.length > 0) || fresh.length + waiting.length + shown.length > MOST_ROWS;
    if (tooMany && !hold) return start();
    setArrived({
      overflow: tooMany,
      updates: new Map([...updates, ...page.items.map((item) => [item.id, item] as const)]),
      ...(hold ? { shown, waiting: [...fresh, ...waiting] } : { shown: [...fresh, ...waiting, ...shown], waiting: [] }),
    });
  });

  function start() {
    setArrived(NOTHING);
    restart();
  }

  return {
    items,
    waiting: waiting.length,
    overflow,
    /** The last poll failed. */
    failing,
    show: () => (overflow ? start() : setArrived({ ...arrived, shown: [...waiting, ...shown], waiting: [] })),
    start,
  };
}

/**
 * Asks for the rows after `known`, again and again, and passes each answer to `receive`. Returns whether the last
 * request failed.
 */
function usePolling(
  enabled: boolean,
  filter: DeliveryFilter,
  known: readonly DeliveryItem[],
  receive: (page: DeliveryPage) => void,
): boolean {
  const client = useTRPCClient();
  const [failures, setFailures] = useState(0);
  const wait = Math.min(POLL_MS * 2 ** failures, SLOWEST_POLL_MS);

  const poll = useEffectEvent(async (signal: AbortSignal) => {
    if (document.visibilityState === "hidden") return;
    const after = startOf(known);
    try {
      const page = await client.deliveries.list.query(
        { ...filter, limit: PAGE_SIZE, ...(after !== undefined && { after }) },
        { signal },
      );
      if (signal.aborted) return;
      setFailures(0);
      deliver(page);
    } catch {
      if (!signal.aborted) setFailures((before) => before + 1);
    }
  });
  const deliver = useEffectEvent(receive);

  useEffect(() => {
    if (!enabled) return;
    const stopped = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const turn = async () => {
      await poll(stopped.signal);
      if (!stopped.signal.aborted) timer = setTimeout(turn, wait);
    };
    timer = setTimeout(turn, wait);
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [enabled, wait]);

  return enabled && failures > 0;
}

/** The row to continue after: the newest, or the one below the oldest unsettled row. */
function startOf(items: readonly DeliveryItem[]): string | undefined {
  const newest = items[0];
  if (newest === undefined) return undefined;
  const unsettled = items
    .slice(0, PAGE_SIZE / 2)
    .findLastIndex(
      ({ handlerState, receivedAt }) =>
        handlerState === "pending" && newest.receivedAt - receivedAt < UNSETTLED_SECONDS,
    );
  return (items[unsettled + 1] ?? newest).id;
}
