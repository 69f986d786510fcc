"use client";

import { Anchor, Button, Paper, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { useMe } from "@/components/me.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ConnectedApp } from "@/trpc/types.ts";
import { ReasonModal } from "./reason-modal.tsx";

type Props = { userId: string; name: string };

/** The applications that a user has allowed, each with the way to revoke its access. CO-62. */
export function ConnectedApps({ userId, name }: Props) {
  const { can } = useMe();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const apps = useQuery(trpc.users.connectedApps.queryOptions({ id: userId }));
  const [ending, setEnding] = useState<ConnectedApp>();
  const disconnect = useMutation(
    trpc.users.disconnectApp.mutationOptions({
      async onSuccess() {
        toastChanged(`${ending?.applicationName ?? "The application"} has no access any more.`);
        await queries.invalidateQueries(trpc.users.pathFilter());
      },
    }),
  );
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="sm">
        Connected apps
      </Title>
      {apps.isPending && <RowsSkeleton rows={2} height={36} />}
      {apps.isError && apps.data === undefined && <LoadError error={apps.error} retry={apps.refetch} />}
      {apps.data?.length === 0 && <Text size="sm">{name} has allowed no application yet.</Text>}
      {apps.data && apps.data.length > 0 && (
        <AppTable apps={apps.data} revoke={can.manageUsers ? (app) => confirmed(() => setEnding(app)) : undefined} />
      )}
      <ReasonModal
        opened={ending !== undefined}
        close={() => setEnding(undefined)}
        title={`Revoke access of ${ending?.applicationName ?? ""}?`}
        text="The application loses access to this account at once, offline access included. It can ask the user again."
        action="Revoke"
        onConfirm={(reason) =>
          ending && disconnect.mutate({ id: userId, clientId: ending.clients[0]?.clientId ?? "", reason })
        }
      />
    </Paper>
  );
}

function AppTable({
  apps,
  revoke,
}: {
  apps: readonly ConnectedApp[];
  revoke: ((app: ConnectedApp) => void) | undefined;
}) {
  return (
    <Table.ScrollContainer
      minWidth={620}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Connected apps" } }}
    >
      <Table verticalSpacing="xs" className="card-table" fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Application</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Allowed</Table.Th>
            <Table.Th>Last used</Table.Th>
            {revoke && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {apps.map((app) => (
            <Table.Tr key={`${app.applicationId} ${app.environment}`}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <Anchor
                  component={Link}
                  href={`/applications/${app.applicationId}?environment=${app.environment}`}
                  size="sm"
                  fw={500}
                >
                  <bdi>{app.applicationName}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  {ENVIRONMENTS[app.environment].label}
                </Text>
              </Table.Td>
              <Table.Td title={app.scopes.map(({ description }) => description).join("; ")}>
                {app.scopes.map(({ name }) => name).join(" ")}
              </Table.Td>
              <Table.Td>
                <Timestamp at={app.allowedAt} brief />
              </Table.Td>
              <Table.Td>{app.lastUsedAt === null ? "Never" : <Timestamp at={app.lastUsedAt} brief />}</Table.Td>
              {revoke && (
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    onClick={() => revoke(app)}
                    aria-label={`Revoke access of ${app.applicationName} in ${app.environment}`}
                  >
                    Revoke
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
