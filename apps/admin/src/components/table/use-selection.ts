"use client";

import { useState } from "react";

/** What a table reads and changes of the selection. */
export type Selection = {
  isSelected: (id: string) => boolean;
  toggle: (id: string) => void;
  all: boolean;
  some: boolean;
  toggleAll: () => void;
};

/** CO-84. */
export const MOST_SELECTED = 1_000;

/** What is selected: some of the loaded rows, or everything that the filter matches, loaded or not. */
export type Selected = { kind: "none" } | { kind: "some"; ids: readonly string[] } | { kind: "matching" };

type State = { ids: ReadonlySet<string>; matching: boolean };
const NONE: State = { ids: new Set(), matching: false };

/** The selection of a list with these loaded rows. It ends when `under`, the filters, changes. */
export function useSelection(loadedIds: readonly string[], under: string) {
  const [stored, setStored] = useState({ under, state: NONE });
  const { ids, matching } = stored.under === under ? stored.state : NONE;
  const all = loadedIds.length > 0 && loadedIds.every((id) => ids.has(id));

  const change = (next: ReadonlySet<string>) => setStored({ under, state: { ids: next, matching: false } });
  const table: Selection = {
    isSelected: (id) => matching || ids.has(id),
    toggle: (id) => change(ids.has(id) ? without(ids, id) : new Set([...ids, id].slice(0, MOST_SELECTED))),
    all: matching || all,
    some: matching || ids.size > 0,
    toggleAll: () => change(matching || all ? new Set() : new Set([...ids, ...loadedIds].slice(0, MOST_SELECTED))),
  };
  const selected: Selected = matching
    ? { kind: "matching" }
    : ids.size > 0
      ? { kind: "some", ids: [...ids] }
      : { kind: "none" };
  return {
    selected,
    table,
    /** All loaded rows are selected, and there can be more. */
    all,
    selectMatching: () => setStored({ under, state: { ids, matching: true } }),
    clear: () => change(new Set()),
  };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}
