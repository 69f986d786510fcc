import { Table } from "@mantine/core";
import { CopyValue } from "@/components/copy-value.tsx";
import { StatusDot, type Tone } from "@/components/status-dot.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { KeyView } from "@/trpc/types.ts";

const STATES: Record<KeyView["state"], { label: string; tone: Tone }> = {
  next: { label: "Next", tone: "open" },
  current: { label: "Current", tone: "good" },
  previous: { label: "Previous", tone: "past" },
};

/** The times of each key. Those that follow from the schedule can still move. */
export function KeyTable({ algorithm, keys }: { algorithm: string; keys: readonly KeyView[] }) {
  return (
    <Table.ScrollContainer
      minWidth={900}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": `${algorithm} keys` } }}
    >
      <Table className="card-table" verticalSpacing={6} fz={13}>
        <Table.Thead>
          <Table.Tr>
            {["State", "Key id", "Published", "Signs from", "Signs until", "Leaves the key set"].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(({ kid, state, publishedAt, signsFrom, signsUntil, goneAt, planned }) => (
            <Table.Tr key={kid}>
              <Table.Td>
                <StatusDot tone={STATES[state].tone}>{STATES[state].label}</StatusDot>
              </Table.Td>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <CopyValue value={kid} what="key id" cut />
              </Table.Td>
              <Table.Td>
                <Timestamp at={publishedAt} />
              </Table.Td>
              <Table.Td>
                <Timestamp at={signsFrom} />
              </Table.Td>
              <Table.Td>
                {planned && "about "}
                <Timestamp at={signsUntil} />
              </Table.Td>
              <Table.Td>
                {planned && "about "}
                <Timestamp at={goneAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
