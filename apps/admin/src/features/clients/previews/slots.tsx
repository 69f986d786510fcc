"use client";

import { Button, Group, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { CopyValue } from "@/components/copy-value.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView, PreviewSlot, Previews } from "@/trpc/types.ts";
import { AddSlot } from "./add-slot.tsx";
import { EndSlot } from "./end-slot.tsx";
import { useSlotsChanged } from "./use-slots-changed.ts";

type Props = { client: ClientView; previews: Previews; frame: NonNullable<Previews["frame"]> };

/** The live slots with what changes them, and those that ended last. */
export function LiveSlots({ client, previews, frame }: Props) {
  const { hide, reason } = useCanManage(client.environment);
  const { live, ended, most } = previews;
  const full = live.length >= most ? `A client has at most ${most} live slots. End one first.` : undefined;
  return (
    <>
      <section>
        <Group justify="space-between" align="flex-start" mb="sm">
          <div style={{ flex: "1 1 18rem" }}>
            <Title order={2} size="h4">
              Live slots
            </Title>
            <Text size="sm" c="dimmed">
              Users are always asked for consent in a preview. Its tokens end with the slot.
            </Text>
          </div>
          {!hide && (
            <Group gap="xs">
              <MakeNumbered client={client} reason={reason} />
              <AddSlot client={client} frame={frame} reason={reason ?? full} />
            </Group>
          )}
        </Group>
        {live.length === 0 ? (
          <Text size="sm">
            No live slots. Let CI put one for each preview, as below, or make numbered ones and deploy previews to them.
          </Text>
        ) : (
          <Slots label="Live slots" live slots={live} client={hide ? undefined : client} reason={reason} />
        )}
      </section>
      {ended.length > 0 && (
        <section>
          <Title order={2} size="h4" mb="sm">
            Ended
          </Title>
          <Slots label="Ended slots" slots={ended} client={undefined} reason={undefined} />
        </section>
      )}
    </>
  );
}

/** `client`: set if its slots can be ended. */
type SlotsProps = {
  label: string;
  live?: boolean;
  slots: readonly PreviewSlot[];
  client: ClientView | undefined;
  reason: string | undefined;
};

function Slots({ label, live = false, slots, client, reason }: SlotsProps) {
  return (
    <Table.ScrollContainer
      minWidth={720}
      scrollAreaProps={{ offsetScrollbars: false, viewportProps: { tabIndex: 0, role: "region", "aria-label": label } }}
    >
      <Table verticalSpacing="xs" aria-label={label} className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Key</Table.Th>
            <Table.Th>Redirect URI</Table.Th>
            <Table.Th>Put</Table.Th>
            <Table.Th>{live ? "Expires" : "Ended"}</Table.Th>
            {client && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {slots.map((slot) => (
            <Table.Tr key={slot.id}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <code>{slot.key}</code>
              </Table.Td>
              <Table.Td>
                <CopyValue value={slot.redirectUri} what={`redirect URI of ${slot.key}`} />
              </Table.Td>
              <Table.Td>
                <Timestamp at={slot.renewedAt} brief />
                <Text size="xs" c="dimmed" truncate maw={180} title={slot.makerName}>
                  by <bdi>{slot.makerName}</bdi>
                </Text>
              </Table.Td>
              <Table.Td>
                <Timestamp at={slot.endsAt} brief />
              </Table.Td>
              {client && (
                <Table.Td ta="right">
                  <EndSlot client={client} slot={slot} reason={reason} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** For teams whose CI has no API token. CO-30. */
function MakeNumbered({ client: { clientId }, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useSlotsChanged(clientId);
  const make = useMutation(
    trpc.previews.putNumbered.mutationOptions({
      async onSuccess() {
        toastChanged("The slots slot-1 to slot-20 are live.");
        await changed();
      },
    }),
  );
  return (
    <Permitted reason={reason}>
      <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate({ clientId })}>
        Make 20 numbered slots
      </Button>
    </Permitted>
  );
}
