"use client";

import { Group, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { Trend } from "@/components/charts/trend.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { ClientSecret, ClientView } from "@/trpc/types.ts";
import { CallOffEnd, type LastSecret, RetireSecret } from "./retire-secret.tsx";
import { SecretState } from "./secret-state.tsx";

type Props = { client: ClientView; secrets: readonly ClientSecret[]; hide: boolean; reason: string | undefined };

/** The active secrets, with their use. CO-31, CO-32. */
export function LiveSecrets({ client, secrets, hide, reason }: Props) {
  return (
    <Table.ScrollContainer minWidth={780} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Secrets" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Last four</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Uses in 30 days</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Added</Table.Th>
            <Table.Th>Expires</Table.Th>
            {!hide && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {secrets.map((secret) => (
            <Table.Tr key={secret.id}>
              <Table.Td>
                <code>{secret.hint || "Unknown"}</code>
              </Table.Td>
              <Table.Td>
                <SecretState secret={secret} />
              </Table.Td>
              <Table.Td>
                <Trend days={secret.uses} />
              </Table.Td>
              <Table.Td>{secret.lastUsedAt === null ? "Never" : <Timestamp at={secret.lastUsedAt} brief />}</Table.Td>
              <Table.Td>
                <Added secret={secret} />
              </Table.Td>
              <Table.Td>{secret.endsAt === null ? "Never" : <Timestamp at={secret.endsAt} brief />}</Table.Td>
              {!hide && (
                <Table.Td>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {secret.endsAt !== null && <CallOffEnd client={client} secret={secret} reason={reason} />}
                    <RetireSecret client={client} secret={secret} last={lastOf(secret, secrets)} reason={reason} />
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** As the server decides it: a secret that is the only active one, or the last without an end. */
function lastOf({ id }: ClientSecret, live: readonly ClientSecret[]): LastSecret {
  const others = live.filter((other) => other.id !== id);
  if (others.some(({ endsAt }) => endsAt === null)) return null;
  return others.length === 0 ? "only" : "without_end";
}

function Added({ secret: { createdAt, addedBy } }: { secret: ClientSecret }) {
  return (
    <>
      <Timestamp at={createdAt} brief />
      {addedBy !== null && (
        <Text size="xs" c="dimmed" truncate maw={160}>
          by <bdi>{addedBy}</bdi>
        </Text>
      )}
    </>
  );
}

/** What ended recently, so that a secret found somewhere can still be recognized. CO-33. */
export function EndedSecrets({ secrets }: { secrets: readonly ClientSecret[] }) {
  const title = "Ended in the last 90 days";
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ offsetScrollbars: false }}>
        <Table verticalSpacing="xs" aria-label={title} className="card-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Last four</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Added</Table.Th>
              <Table.Th>Ended</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {secrets.map((secret) => (
              <Table.Tr key={secret.id}>
                <Table.Td>
                  <code>{secret.hint || "Unknown"}</code>
                </Table.Td>
                <Table.Td>{secret.lastUsedAt === null ? "Never" : <Timestamp at={secret.lastUsedAt} brief />}</Table.Td>
                <Table.Td>
                  <Added secret={secret} />
                </Table.Td>
                <Table.Td>{secret.endsAt !== null && <Timestamp at={secret.endsAt} brief />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
