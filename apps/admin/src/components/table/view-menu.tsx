"use client";

import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { changeQuery } from "../use-filters.ts";
import { type Column, type Density, type Layout, moved, shownColumns, toggled, useLayout } from "./columns.ts";
import { PAGE_SIZES, usePageSize } from "./page-size.ts";

const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
];

type Props = {
  /** The name of the table. */
  name: string;
  columns: readonly Column<never>[];
  /** The list reads its page size from the URL. */
  paged?: boolean;
};

/**
 * How a table is shown: columns and their order, density, rows per page. Everything by buttons: nothing has to be
 * dragged. CO-84.
 */
export function ViewMenu({ name, columns, paged = false }: Props) {
  const [layout, setLayout] = useLayout(name);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          fz={13}
          fw={500}
          leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden="true" />}
        >
          View
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="View">
        <Stack gap="sm">
          <Choice label="Density">
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label="Density"
              data={DENSITIES}
              value={layout.density}
              onChange={(density) => setLayout({ ...layout, density: density as Density })}
            />
          </Choice>
          {paged && <PageSize />}
          <Columns columns={columns} layout={layout} change={(chosen) => setLayout({ ...layout, columns: chosen })} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={500} c="dimmed" mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}

function PageSize() {
  const size = usePageSize();
  return (
    <Choice label="Rows per page">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Rows per page"
        data={PAGE_SIZES.map(String)}
        value={String(size)}
        onChange={(next) => changeQuery({ limit: next })}
      />
    </Choice>
  );
}

type ColumnsProps = {
  columns: Props["columns"];
  layout: Layout;
  change: (chosen: readonly string[] | undefined) => void;
};

function Columns({ columns, layout, change }: ColumnsProps) {
  const [first, ...others] = columns;
  const chosen = shownColumns(columns, layout).flatMap(({ id }) => (id === first?.id ? [] : [id]));
  const listed = [
    ...chosen.flatMap((id) => others.find((column) => column.id === id) ?? []),
    ...others.filter(({ id }) => !chosen.includes(id)),
  ];
  return (
    <Choice label="Columns">
      <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {listed.map(({ id, title }) => (
          <Group component="li" key={id} justify="space-between" wrap="nowrap" mih={28}>
            <Checkbox
              size="xs"
              label={title}
              checked={chosen.includes(id)}
              onChange={() => change(toggled(chosen, id))}
            />
            {chosen.includes(id) && (
              <Group gap={0} wrap="nowrap">
                <Move title={title} step={-1} disabled={chosen[0] === id} move={() => change(moved(chosen, id, -1))} />
                <Move
                  title={title}
                  step={1}
                  disabled={chosen.at(-1) === id}
                  move={() => change(moved(chosen, id, 1))}
                />
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {layout.columns !== undefined && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => change(undefined)}>
          Reset columns
        </Button>
      )}
    </Choice>
  );
}

function Move({ title, step, disabled, move }: { title: string; step: 1 | -1; disabled: boolean; move: () => void }) {
  return (
    <ActionIcon
      size={24}
      variant="subtle"
      color="gray"
      aria-label={`Move ${title} ${step === -1 ? "up" : "down"}`}
      aria-disabled={disabled}
      onClick={move}
    >
      {step === -1 ? <IconArrowUp size={14} aria-hidden="true" /> : <IconArrowDown size={14} aria-hidden="true" />}
    </ActionIcon>
  );
}
