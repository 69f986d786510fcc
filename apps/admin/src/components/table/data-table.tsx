"use client";

import { Checkbox } from "@mantine/core";
import { useCallbackRef } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import clsx from "clsx";
import Link from "next/link";
import { type MouseEvent, memo, type ReactNode, useMemo } from "react";
import { useZoneName } from "../times.ts";
import { type Column, shownColumns, useLayout } from "./columns.ts";
import styles from "./data-table.module.css";
import type { Selection } from "./use-selection.ts";

type Props<Row> = {
  /** Names the reader's layout in this browser, and has to differ between tables. */
  name: string;
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** The page that a row opens; all of the row is its link. Without it, rows have no page. */
  href?: (row: Row) => string;
  /** Opens a row in place instead. A modified click still opens its page in a new tab. */
  open?: (row: Row) => void;
  /** The row that is open in place. */
  openId?: string | null;
  /** Undefined where the user may not act on rows. `labelOf` names a row's checkbox. */
  selection?: (Selection & { labelOf: (row: Row) => string }) | undefined;
  /** The order of the list, and how to choose another, where the columns have one. */
  order?: Order;
};

/** Tables with this many columns or more are denser, and scroll sideways in a narrow frame. */
const MANY_COLUMNS = 10;

/**
 * Of the column of checkboxes in a table of fixed widths. Not in pixels: where other columns are hidden, it would get
 * their room.
 */
const SELECT_PERCENT = 4;

type Order = { by: string; choose: (by: string) => void };

/** The rows of a list: its head stays in sight, and the reader chooses columns and density. CO-84. */
export function DataTable<Row>({
  name,
  label,
  rows,
  columns,
  rowId,
  href,
  open,
  openId,
  selection,
  order,
}: Props<Row>) {
  const [layout] = useLayout(name);
  const shown = useMemo(() => shownColumns(columns, layout), [columns, layout]);
  const openRow = useCallbackRef(open);
  const toggleRow = useCallbackRef(selection?.toggle);
  const zone = useZoneName();
  const fixed = shown.every(({ width }) => width !== undefined);
  const widths = shown.reduce((sum, { width = 0 }) => sum + width, 0);
  const firstTime = shown.find(({ time }) => time);
  return (
    <div className={styles["container"]} data-density={layout.density} data-many={shown.length >= MANY_COLUMNS}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll, so keyboard users must be able to focus it */}
      <section className={styles["frame"]} aria-label={label} tabIndex={0}>
        <table className={clsx(styles["table"], fixed && styles["fixed"])} aria-label={label}>
          <thead>
            <tr>
              {selection && (
                <th className={styles["select"]} style={{ width: fixed ? `${SELECT_PERCENT}%` : undefined }}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all on this page"
                    checked={selection.all}
                    indeterminate={selection.some && !selection.all}
                    onChange={selection.toggleAll}
                  />
                </th>
              )}
              {shown.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  className={clsx(column.numeric && styles["number"])}
                  style={{ width: fixed ? `${(100 * (column.width ?? 0)) / widths}%` : undefined }}
                  data-from={column.from}
                  aria-sort={column.sort && column.sort.by === order?.by ? column.sort.direction : undefined}
                >
                  {column.sort && order ? (
                    <SortButton sort={column.sort} order={order}>
                      <Title column={column} zone={column === firstTime ? zone : undefined} />
                    </SortButton>
                  ) : (
                    <Title column={column} zone={column === firstTime ? zone : undefined} />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const id = rowId(row);
              return (
                <MemoizedRow
                  key={id}
                  row={row}
                  id={id}
                  columns={shown}
                  href={href?.(row)}
                  open={open && openRow}
                  opened={openId === id}
                  selected={selection?.isSelected(id)}
                  selectLabel={selection && `Select ${selection.labelOf(row)}`}
                  toggle={toggleRow}
                />
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Puts the list in the order of a column. */
/** A column's title, with the time zone of its instants. */
function Title({ column: { title }, zone }: { column: { title: string }; zone: string | undefined }) {
  return (
    <span>
      {title}
      {zone !== undefined && <span className={styles["zone"]}> {zone}</span>}
    </span>
  );
}

type SortProps = { sort: { by: string; direction: string }; order: Order; children: ReactNode };

function SortButton({ sort, order, children }: SortProps) {
  const Icon = sort.direction === "ascending" ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={styles["sort"]} onClick={() => order.choose(sort.by)}>
      {children}
      <Icon size={13} stroke={1.75} aria-hidden="true" data-current={sort.by === order.by} />
    </button>
  );
}

type RowProps<Row> = {
  row: Row;
  id: string;
  columns: readonly Column<Row>[];
  href: string | undefined;
  open: ((row: Row) => void) | undefined;
  opened: boolean;
  /** Undefined without a checkbox. */
  selected: boolean | undefined;
  selectLabel: string | undefined;
  toggle: (id: string) => void;
};

function TableRow<Row>({ row, id, columns, href, open, opened, selected, selectLabel, toggle }: RowProps<Row>) {
  const openHere = (event: MouseEvent) => {
    if (open === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(row);
  };
  return (
    <tr
      className={clsx(styles["row"], href !== undefined && styles["linked"])}
      aria-current={opened ? "true" : undefined}
      onClick={href === undefined ? undefined : clickLink}
    >
      {selected !== undefined && (
        <td className={styles["select"]}>
          <Checkbox size="xs" aria-label={selectLabel} checked={selected} onChange={() => toggle(id)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} className={clsx(column.numeric && styles["number"])} data-from={column.from}>
          {index === 0 && href !== undefined ? (
            <Link href={href} prefetch={false} className={styles["link"]} data-row-link={id} onClick={openHere}>
              {column.render(row)}
            </Link>
          ) : (
            column.render(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/**
 * Text with a title lies above the row's link, so that the title shows. A click on it is passed to the link, with the
 * same modifier keys.
 */
function clickLink({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (!target.closest("[title]") || target.closest("a, button, input, label")) return;
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  currentTarget.querySelector("[data-row-link]")?.dispatchEvent(new window.MouseEvent("click", click));
}

/** Drawn again only when what it shows changes: a list can have a thousand. `memo` loses the type of the row. */
const MemoizedRow = memo(TableRow) as typeof TableRow;
