"use client";

import { Group, Kbd, Modal, Stack, Switch, Table, Text } from "@mantine/core";
import { navigationFor } from "@/navigation.ts";
import { useMe } from "../me.tsx";
import { useOpenedLate } from "../use-opened-late.ts";
import { PAGE_KEYS, SHORTCUTS, useShortcutsOn } from "./shortcuts.ts";

/** Lists the keys, and switches the single ones off. CO-75. */
export function KeyHelp({ opened, close }: { opened: boolean; close: () => void }) {
  const [on, setOn] = useShortcutsOn();
  const me = useMe();
  const pages = navigationFor(me).flatMap(({ items }) =>
    items.flatMap(({ href, label }) => {
      const key = PAGE_KEYS[href];
      return key === undefined ? [] : [{ keys: ["G", key.toUpperCase()], does: label }];
    }),
  );
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Keyboard shortcuts" size="lg">
      <Stack>
        <Switch
          label="Single-key shortcuts"
          description="Off, only the shortcuts with Ctrl or ⌘ work."
          checked={on}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
        <Group align="flex-start" gap="xl" grow>
          <KeyTable label="On a page" rows={SHORTCUTS} />
          <KeyTable label="Go to" rows={pages} />
        </Group>
      </Stack>
    </Modal>
  );
}

function KeyTable({ label, rows }: { label: string; rows: readonly { keys: readonly string[]; does: string }[] }) {
  return (
    <Table aria-label={label} verticalSpacing={4} fz="sm" miw={220}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{label}</Table.Th>
          <Table.Th>
            <Text span size="xs" c="dimmed">
              Key
            </Text>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ keys, does }) => (
          <Table.Tr key={does}>
            <Table.Td>{does}</Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>
              {keys.map((key) => (
                <Kbd key={key} size="xs" mr={4}>
                  {key.replace("Mod", "Ctrl or ⌘")}
                </Kbd>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
