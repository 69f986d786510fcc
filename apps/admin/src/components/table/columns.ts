"use client";

import type { ReactNode } from "react";
import { useStored } from "../use-stored.ts";

/** One column of a table. */
export type Column<Row> = {
  /** Kept in the reader's choice of columns. */
  id: string;
  title: string;
  render: (row: Row) => ReactNode;
  /** Right-aligned, with digits of equal width. */
  numeric?: boolean;
  /** Shows instants: the head of the first such column names the time zone. */
  time?: boolean;
  /**
   * Its share of the table's width. If every column has one, the widths don't depend on the rows, and nothing moves
   * while they arrive.
   */
  width?: number;
  /** Hidden until the reader chooses it. */
  optional?: boolean;
  /**
   * Hidden where the table is narrower than this: `medium` 620 px, `wide` 900 px, `wider` 1160 px, `widest` 1340 px.
   */
  from?: "medium" | "wide" | "wider" | "widest";
  /** The list can be in the order of this column, under this name in the URL. */
  sort?: { by: string; direction: "ascending" | "descending" };
};

export type Density = "comfortable" | "compact";

/** The reader's choice for one table. `columns`: the ids to show, in this order; undefined for the default. */
export type Layout = { columns?: readonly string[] | undefined; density: Density };

const DEFAULT: Layout = { density: "comfortable" };

/** The reader's layout of the table `name`, kept in this browser. CO-84. */
export function useLayout(name: string): [Layout, (layout: Layout) => void] {
  return useStored(`gatehouse:table:${name}`, DEFAULT, isLayout);
}

function isLayout(value: unknown): value is Layout {
  if (typeof value !== "object" || value === null) return false;
  const { columns, density } = value as Record<string, unknown>;
  const known = density === "comfortable" || density === "compact";
  return known && (columns === undefined || (Array.isArray(columns) && columns.every((id) => typeof id === "string")));
}

/**
 * The columns to show, in order. The first one always leads: it has the row's link. A new column that the choice lacks
 * stays hidden.
 */
export function shownColumns<Row>(columns: readonly Column<Row>[], layout: Layout): Column<Row>[] {
  const [first, ...others] = columns;
  const chosen = layout.columns ?? others.filter(({ optional }) => optional !== true).map(({ id }) => id);
  const rest = chosen.flatMap((id) => others.find((column) => column.id === id) ?? []);
  return first === undefined ? [] : [first, ...rest];
}

/** The chosen ids after `id` is shown or hidden. */
export const toggled = (chosen: readonly string[], id: string): string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];

/** The chosen ids after `id` has moved by `step` places; unchanged at either end. */
export function moved(chosen: readonly string[], id: string, step: 1 | -1): string[] {
  const from = chosen.indexOf(id);
  const to = from + step;
  const next = [...chosen];
  const other = next[to];
  if (from === -1 || other === undefined) return next;
  next[to] = id;
  next[from] = other;
  return next;
}
