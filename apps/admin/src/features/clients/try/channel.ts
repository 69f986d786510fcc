"use client";

import type { TryCallback } from "@/trpc/types.ts";

const NAME = "gatehouse:try";
const MEMBERS = ["code", "state", "iss", "error", "error_description"] as const;

/** Tells the console's other tabs what came back from a sign-in. Only the run with this state takes it. */
export function announceCallback(search: string): void {
  const query = new URLSearchParams(search);
  const callback: TryCallback = Object.fromEntries(
    MEMBERS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])),
  );
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(callback);
  channel.close();
}

/** Calls `listener` when a sign-in with this state comes back. Returns a function that stops it. */
export function onCallback(state: string, listener: (callback: TryCallback) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<TryCallback>) => {
    if (data.state === state) listener(data);
  };
  return () => channel.close();
}
