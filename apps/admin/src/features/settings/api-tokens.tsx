"use client";

import { Button, Modal, Table, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { environmentNames } from "@/components/environments.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useOpenedByLink } from "@/components/use-opened-by-link.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiToken } from "@/trpc/types.ts";
import { NewApiToken } from "./new-api-token.tsx";
import { RevokeApiToken } from "./revoke-api-token.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const WHAT =
  "For scripts and CI. A token does what its scopes allow, until it expires or the admin who created it loses the role.";

/** Tokens for automation: what each may do, for how long, and when it was last used. CO-70. */
export function ApiTokens() {
  const list = useQuery(useTRPC().apiTokens.list.queryOptions());
  const [creating, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  useOpenedByLink("new", () => confirmed(dialog.open));
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => confirmed(dialog.open)}>
      New API token
    </Button>
  );
  const tokens = list.data?.tokens;
  return (
    <>
      <SettingsFrame section="api-tokens" description={WHAT} actions={tokens?.length ? create : undefined} />
      {list.isPending && <RowsSkeleton rows={3} height={44} />}
      {list.isError && tokens === undefined && <LoadError error={list.error} retry={list.refetch} />}
      {tokens?.length === 0 && (
        <EmptyState icon={<IconKey size={28} />} title="No API tokens" action={create}>
          A job that exports the audit log or checks clients shouldn’t use a person’s session. Give it a token with just
          the scopes it needs.
        </EmptyState>
      )}
      {tokens && tokens.length > 0 && <TokenTable tokens={tokens} />}
      <Modal
        opened={creating}
        onClose={dialog.close}
        title="New API token"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <NewApiToken scopes={list.data?.scopes ?? []} close={dialog.close} />
      </Modal>
    </>
  );
}

/** Scrolls in its own frame: on a phone the actions stay reachable. */
function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <Table.ScrollContainer
      minWidth={900}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "API tokens" } }}
    >
      <Table className="card-table" verticalSpacing="xs" fz={13} aria-label="API tokens">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Reach</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>Made</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Row key={token.id} token={token} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ token }: { token: ApiToken }) {
  const { name, hint, scopes, firstPartyOrigins, lastUsedAt, endedAt, expiresAt, createdAt, makerName, state } = token;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" truncate maw={220} title={name}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          …<code>{hint}</code>
        </Text>
      </Table.Td>
      <Table.Td>{scopes.join(", ")}</Table.Td>
      <Table.Td>
        {reachOf(token)}
        {firstPartyOrigins.length > 0 && (
          <Text size="xs" c="dimmed" maw={260} style={{ overflowWrap: "anywhere" }}>
            First-party clients at {firstPartyOrigins.join(", ")}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <State {...token} />
      </Table.Td>
      <Table.Td>{lastUsedAt === null ? "Never" : <Timestamp at={lastUsedAt} brief />}</Table.Td>
      <Table.Td>
        <Timestamp at={endedAt ?? expiresAt} brief />
      </Table.Td>
      <Table.Td>
        <Timestamp at={createdAt} brief />
        <Text size="xs" c="dimmed" truncate maw={140}>
          by <bdi>{makerName}</bdi>
        </Text>
      </Table.Td>
      <Table.Td>{state === "live" && <RevokeApiToken token={token} />}</Table.Td>
    </Table.Tr>
  );
}

function reachOf({ clientId, environments }: ApiToken) {
  if (clientId === null)
    return environments.length === environmentNames.length ? "All environments" : environments.join(", ");
  return (
    <Text size="xs" ff="monospace" truncate maw={190} title={clientId}>
      {clientId}
    </Text>
  );
}

function State({ state }: ApiToken) {
  if (state === "live") return <StatusDot tone="good">Live</StatusDot>;
  return <StatusDot tone="past">{state === "revoked" ? "Revoked" : "Expired"}</StatusDot>;
}
