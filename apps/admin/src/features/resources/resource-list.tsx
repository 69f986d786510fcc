"use client";

import { Anchor, Button, Table, Text } from "@mantine/core";
import { IconApi, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiResource } from "@/trpc/types.ts";
import { resourceHref } from "./resource-values.ts";

/** The APIs that clients can request tokens for, besides the built-in one. CO-59. */
export function ResourceList() {
  const { can } = useMe();
  const resources = useQuery(useTRPC().resources.list.queryOptions());
  const add = can.manageProduction && (
    <Button component={Link} href="/resources/new" leftSection={<IconPlus size={16} aria-hidden="true" />}>
      New API resource
    </Button>
  );
  return (
    <>
      <PageFrame
        title="API resources"
        description="APIs that clients can request access tokens for, each with its own scopes."
        actions={resources.data && resources.data.length > 0 ? add : undefined}
      />
      {resources.isPending && <RowsSkeleton rows={4} height={44} />}
      {resources.isError && resources.data === undefined && (
        <LoadError error={resources.error} retry={resources.refetch} />
      )}
      {resources.data?.length === 0 && (
        <EmptyState icon={<IconApi size={26} />} title="No API resources yet" action={add}>
          Register an API of yours to give it scopes and tokens that only it accepts. The built-in API under /api needs
          no entry here.
        </EmptyState>
      )}
      {resources.data && resources.data.length > 0 && <ResourceTable resources={resources.data} />}
    </>
  );
}

function ResourceTable({ resources }: { resources: readonly ApiResource[] }) {
  return (
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "API resources" } }}
    >
      <Table className="card-table" verticalSpacing={8} fz={13} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {["Name", "Identifier", "Tokens", "Scopes", "Environments", "State"].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {resources.map(({ id, name, tokenFormat, tokenAlgorithm, scopes, environments, enabled }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Anchor component={Link} href={resourceHref(id)} size="sm" fw={500}>
                  <bdi>{name}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>
                <code style={{ overflowWrap: "anywhere" }}>{id}</code>
              </Table.Td>
              <Table.Td>{tokenFormat === "jwt" ? `JWT, ${tokenAlgorithm}` : "Opaque"}</Table.Td>
              <Table.Td>{scopes.length}</Table.Td>
              <Table.Td>
                {environments === null ? (
                  <Text span size="sm" c="dimmed">
                    Default
                  </Text>
                ) : (
                  environments.map((one) => ENVIRONMENTS[one].label).join(", ")
                )}
              </Table.Td>
              <Table.Td>
                <StatusDot tone={enabled ? "good" : "past"}>{enabled ? "On" : "Off"}</StatusDot>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
