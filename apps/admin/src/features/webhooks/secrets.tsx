"use client";

import { Alert, Button, Group, Paper, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint, WebhookProvider, WebhookSecret } from "@/trpc/types.ts";
import { AddSecret } from "./add-secret.tsx";
import { EndSecret } from "./end-secret.tsx";
import { SecretState } from "./secret-state.tsx";
import { When } from "./when.tsx";

/** The signing secrets and API keys of an endpoint, with what is known about their use. CO-32, CO-58. */
export function EndpointSecrets({ endpoint, facts }: { endpoint: WebhookEndpoint; facts?: WebhookProvider }) {
  const trpc = useTRPC();
  const { data: all } = useSuspenseQuery(trpc.webhookSecrets.list.queryOptions({ endpoint: endpoint.slug }));
  const secrets = all.filter(({ kind }) => kind !== "forwarding");
  const { hide, reason } = useCanManage(endpoint.environment);
  const confirmed = useConfirmed();
  const [adding, dialog] = useDisclosure();
  const [warnings, setWarnings] = useState<string[]>([]);
  const open = () => (endpoint.environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" mb="xs" align="flex-start">
        <div style={{ flex: "1 1 18rem" }}>
          <Title order={2} size="h4">
            Secrets
          </Title>
          <Text size="sm" c="dimmed" maw={620}>
            To rotate, add the new secret, switch the provider to it, and end the old one when it is safe to remove.
            {facts && ` ${facts.name} shows it here: ${facts.secretHelp}`}
          </Text>
        </div>
        {!hide && (
          <Permitted reason={reason}>
            <Button variant="default" size="xs" onClick={open}>
              Add secret
            </Button>
          </Permitted>
        )}
      </Group>
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light" mb="xs" role="status">
          {warning}
        </Alert>
      ))}
      {secrets.length === 0 ? (
        <Text size="sm">No secrets yet. Every delivery is rejected until you add the signing secret.</Text>
      ) : (
        <SecretTable secrets={secrets} hide={hide} reason={reason} />
      )}
      <AddSecret
        opened={adding}
        close={dialog.close}
        endpoint={endpoint}
        added={setWarnings}
        {...(facts && { facts })}
      />
    </Paper>
  );
}

type TableProps = { secrets: WebhookSecret[]; hide: boolean; reason: string | undefined };

function SecretTable({ secrets, hide, reason }: TableProps) {
  const isLast = (secret: WebhookSecret) =>
    secret.kind === "signing" &&
    !secrets.some(
      ({ id, kind, state, endsAt }) => id !== secret.id && kind === "signing" && state !== "ended" && endsAt === null,
    );
  return (
    <Table.ScrollContainer minWidth={700} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Secrets" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Last four</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last matched</Table.Th>
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
            <Table.Tr
              key={secret.id}
              style={secret.state === "ended" ? { color: "var(--mantine-color-dimmed)" } : undefined}
            >
              <Table.Td>
                <code>{secret.hint || "Hidden"}</code>
                {(secret.name !== null || secret.kind === "api_key") && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                    {[secret.kind === "api_key" ? "API key" : null, secret.name]
                      .filter((part) => part !== null)
                      .join(" · ")}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <SecretState secret={secret} />
              </Table.Td>
              <Table.Td>
                {secret.kind === "api_key" ? (
                  "Not used for signatures"
                ) : (
                  <When at={secret.lastMatchedAt} otherwise="Never" />
                )}
              </Table.Td>
              <Table.Td>
                <Timestamp at={secret.createdAt} brief />
              </Table.Td>
              <Table.Td>
                <When at={secret.endsAt} otherwise="Never" />
              </Table.Td>
              {!hide && (
                <Table.Td ta="right">
                  {secret.state !== "ended" && <EndSecret secret={secret} last={isLast(secret)} reason={reason} />}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
