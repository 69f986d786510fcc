"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const parsed = new Map<string, { text: string; value: unknown }>();

/**
 * A preference that this browser keeps for the reader, and the function that changes it. `fallback` until the page is
 * hydrated, and for a value that `isValid` rejects. `fallback` has to be a constant.
 */
export function useStored<Value>(
  key: string,
  fallback: Value,
  isValid: (value: unknown) => value is Value,
): [Value, (value: Value) => void] {
  const read = () => {
    const value = readStored(key);
    return isValid(value) ? value : fallback;
  };
  const value = useSyncExternalStore(subscribe, read, () => fallback);
  return [value, (next) => store(key, next)];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The same object as long as the text is the same, so that React does not render again. */
function readStored(key: string): unknown {
  const text = storage()?.getItem(key);
  if (text === null || text === undefined) return undefined;
  const known = parsed.get(key);
  if (known?.text === text) return known.value;
  const value = parse(text);
  parsed.set(key, { text, value });
  return value;
}

function store(key: string, value: unknown): void {
  try {
    storage()?.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full: the choice does not last, and nothing else depends on it.
  }
  for (const listener of listeners) listener();
}

/** Undefined in browsers that forbid storage. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
