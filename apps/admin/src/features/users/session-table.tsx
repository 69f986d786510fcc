"use client";

import { describeBrowser } from "@gatehouse/ui/browser";
import { Button, Table, Text, VisuallyHidden } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Session } from "@/trpc/types.ts";

type Props = {
  sessions: readonly Session[];
  revoke?: (sessionId: string) => void;
  /** The session of this browser has no button: signing out ends it. */
  keepCurrent?: boolean;
};

/** Wide enough for any time: the columns stay where they are when it becomes relative. */
const TIME_WIDTH = 150;

/** Sessions with their browsers and addresses; this browser's is marked. */
export function SessionTable({ sessions, revoke, keepCurrent = false }: Props) {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Sessions" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            <Table.Th w={TIME_WIDTH}>Signed in</Table.Th>
            <Table.Th w={TIME_WIDTH}>Last active</Table.Th>
            {revoke && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, current }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <span title={visibleText(userAgent ?? "")}>{describeBrowser(userAgent)}</span>
                {current && (
                  <Text span size="xs" c="dimmed">
                    {" "}
                    · this session
                  </Text>
                )}
                <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                  {address ?? "Unknown address"}
                </Text>
              </Table.Td>
              <Table.Td>
                <Timestamp at={createdAt} brief />
              </Table.Td>
              <Table.Td>
                <Timestamp at={lastSeenAt} brief />
              </Table.Td>
              {revoke && (
                <Table.Td ta="right">
                  {!(keepCurrent && current) && (
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => revoke(id)}>
                      End session
                    </Button>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
