"use client";

import { ActionIcon, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** A value with a copy button; `what` names it in the button's label. */
export function CopyValue({ value, what, testId }: { value: string; what: string; testId?: string }) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <code className="value" data-testid={testId}>
        {value}
      </code>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : `Copy ${what}`} withArrow>
            <ActionIcon variant="subtle" color={copied ? "teal" : "gray"} onClick={copy} aria-label={copied ? "Copied" : `Copy ${what}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
