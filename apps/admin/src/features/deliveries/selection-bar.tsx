"use client";

import { Button, Group, Paper, Text } from "@mantine/core";
import { IconDownload, IconPlayerPlay } from "@tabler/icons-react";
import { MOST_SELECTED, type Selected } from "./use-selection.ts";

type Props = {
  selected: Selected;
  /** All loaded rows are selected, and more may match. */
  canSelectMatching: boolean;
  selectMatching: () => void;
  clear: () => void;
  rerun: () => void;
  download: () => void;
};

const number = new Intl.NumberFormat("en");

/** "50 on this page", "all that match, up to 1,000". */
export function scopeOf(selected: Selected): string {
  if (selected.kind === "matching") return `all that match, up to ${number.format(MOST_SELECTED)}`;
  return selected.kind === "some" ? `${number.format(selected.ids.length)} on this page` : "none";
}

/** What can be done with the selected deliveries. */
export function SelectionBar({ selected, canSelectMatching, selectMatching, clear, rerun, download }: Props) {
  if (selected.kind === "none") return null;
  return (
    <Paper component="section" aria-label="Selection" className="selection-bar" withBorder shadow="md" px="md" py={8}>
      <Group gap="sm" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={500} role="status">
            Selected: {scopeOf(selected)}
          </Text>
          {canSelectMatching && selected.kind === "some" && (
            <Button size="compact-sm" variant="subtle" onClick={selectMatching}>
              Select all that match, up to {number.format(MOST_SELECTED)}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button size="compact-sm" leftSection={<IconPlayerPlay size={14} aria-hidden="true" />} onClick={rerun}>
            Run again
          </Button>
          <Button size="compact-sm" variant="default" leftSection={<IconDownload size={14} aria-hidden="true" />} onClick={download}>
            Export
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            Clear selection
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
