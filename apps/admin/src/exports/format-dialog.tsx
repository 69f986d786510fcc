"use client";

import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useOpenedLate } from "@/components/use-opened-late.ts";

type Props = {
  title: string;
  opened: boolean;
  close: () => void;
  /** What is downloaded. */
  children: ReactNode;
  formats: readonly [Format, ...Format[]];
  starting: boolean;
  start: (format: string) => void;
};

type Format = { value: string; label: string; hint: string };

/** Asks for the format of an export and starts it. CO-85. */
export function FormatDialog({ title, opened, close, children, formats, starting, start }: Props) {
  const [format, setFormat] = useState(formats[0].value);
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        <div>
          <SegmentedControl aria-label="Format" value={format} onChange={setFormat} data={[...formats]} />
          <Text size="sm" c="dimmed" mt={6}>
            {formats.find(({ value }) => value === format)?.hint}
          </Text>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button data-autofocus loading={starting} onClick={() => start(format)}>
            Download
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
