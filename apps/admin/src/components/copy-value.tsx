"use client";

import { ActionIcon, CopyButton, Group, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

type Props = {
  value: string;
  /** Names the value in the button's label. */
  what: string;
  /** How browser tests find it. CO-96. */
  testId?: string;
  /** Shows a long value cut in the middle, with all of it on hover and on copy. */
  cut?: boolean;
};

/** A value with a copy button, which also tells screen readers that it has copied. CO-82. */
export function CopyValue({ value, what, testId, cut = false }: Props) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <code className="value" data-testid={testId} title={cut ? value : undefined}>
        {cut ? cutInMiddle(value) : value}
      </code>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <>
            <Tooltip label={copied ? "Copied" : `Copy ${what}`} withArrow>
              <ActionIcon
                variant="subtle"
                color={copied ? "teal" : "gray"}
                onClick={copy}
                aria-label={copied ? "Copied" : `Copy ${what}`}
              >
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
            <VisuallyHidden aria-live="polite">{copied ? "Copied" : ""}</VisuallyHidden>
          </>
        )}
      </CopyButton>
    </Group>
  );
}

/** Long enough for the ids of most providers. */
const MAX_LENGTH = 30;
const KEPT_START = 16;
const KEPT_END = 8;

function cutInMiddle(value: string): string {
  return value.length <= MAX_LENGTH ? value : `${value.slice(0, KEPT_START)}…${value.slice(-KEPT_END)}`;
}
