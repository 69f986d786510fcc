"use client";

import { Button, Group, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./data-table.module.css";
import { MOST_SELECTED, type Selected } from "./use-selection.ts";

type Props = {
  selected: Selected;
  /**
   * Selects everything that the filters match. Undefined while that cannot be more than the loaded rows, or cannot be
   * acted on.
   */
  selectMatching?: (() => void) | undefined;
  clear: () => void;
  /** The buttons for what can be done with the selected rows. */
  children: ReactNode;
};

const number = new Intl.NumberFormat("en");

/** "50 on this page", "all that match, up to 1,000". */
export function scopeOf(selected: Selected): string {
  if (selected.kind === "matching") return `all that match, up to ${number.format(MOST_SELECTED)}`;
  return selected.kind === "some" ? `${number.format(selected.ids.length)} on this page` : "none";
}

/** Names the scope of the selection, and what can be done with it. CO-84. */
export function SelectionBar({ selected, selectMatching, clear, children }: Props) {
  if (selected.kind === "none") return null;
  return (
    <Paper
      component="section"
      aria-label="Selection"
      className={styles["selectionBar"] ?? ""}
      withBorder
      shadow="md"
      px="md"
      py={8}
    >
      <Group gap="sm" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={500} role="status">
            Selected: {scopeOf(selected)}
          </Text>
          {selectMatching && selected.kind === "some" && (
            <Button size="compact-sm" variant="subtle" onClick={selectMatching}>
              Select all that match, up to {number.format(MOST_SELECTED)}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          {children}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            Clear selection
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
