import { Table } from "@mantine/core";
import type { ReactNode } from "react";

/** A plain table that scrolls in its own frame. */
export function SimpleTable({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": label } }}
    >
      <Table className="card-table" verticalSpacing={8} fz={13} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
