"use client";

import { Table } from "@mantine/core";
import type { ReactNode } from "react";

type Row = { key: string; name: ReactNode; values: readonly (string | number)[] };

/** The numbers of a chart. It scrolls by itself if it is long. */
export function NumericTable({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboard users must be able to focus it
    <section className="charts-table" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={3} horizontalSpacing="xs" stickyHeader captionSide="top">
        <Table.Caption>{label}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {head.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, values }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              {values.map((value, index) => (
                <Table.Td key={head[index + 1]}>{value}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
