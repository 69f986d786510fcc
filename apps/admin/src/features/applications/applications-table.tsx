"use client";

import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPause } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { EnvironmentBadge, environmentNames } from "@/components/environments.tsx";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { SelectionBar } from "@/components/table/selection-bar.tsx";
import { useSelection } from "@/components/table/use-selection.ts";
import { Timestamp } from "@/components/timestamp.tsx";
import { CLIENT_TYPES } from "@/features/clients/client-types.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApplicationItem } from "@/trpc/types.ts";
import { BulkImpact, useBulkImpact } from "./bulk-impact.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

const BulkDialog = onDemand(() => import("@/components/table/bulk-dialog.tsx").then((module) => module.BulkDialog));

/** The columns of the list of applications. CO-18. */
export const APPLICATION_COLUMNS: readonly Column<ApplicationItem>[] = [
  {
    id: "name",
    title: "Application",
    sort: { by: "name", direction: "ascending" },
    render: ({ name, description }) => (
      <span style={{ display: "block", minWidth: 150, overflowWrap: "anywhere" }}>
        <Text span size="sm" fw={500} display="block">
          <bdi>{name}</bdi>
        </Text>
        {description !== "" && (
          <Text span size="xs" c="dimmed" lineClamp={1}>
            <bdi>{description}</bdi>
          </Text>
        )}
      </span>
    ),
  },
  { id: "environments", title: "Environments", render: Environments },
  { id: "type", title: "Type", from: "wide", render: ({ clients }) => <>{typesOf(clients)}</> },
  {
    id: "lastToken",
    title: "Last token",
    time: true,
    from: "medium",
    sort: { by: "lastToken", direction: "descending" },
    render: ({ lastTokenAt }) => (lastTokenAt === 0 ? <Dimmed>Never</Dimmed> : <Timestamp at={lastTokenAt} />),
  },
  {
    id: "refusals",
    title: "Refusals, 24 h",
    numeric: true,
    from: "medium",
    sort: { by: "refusals", direction: "descending" },
    render: ({ refusals }) => (refusals === 0 ? <Dimmed>0</Dimmed> : refusals.toLocaleString("en")),
  },
  {
    id: "created",
    title: "Created",
    time: true,
    from: "wide",
    sort: { by: "created", direction: "descending" },
    render: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
  { id: "id", title: "Application ID", optional: true, render: ({ id }) => <code>{id}</code> },
];

function Dimmed({ children }: { children: string }) {
  return (
    <Text span fz="inherit" c="dimmed">
      {children}
    </Text>
  );
}

function Environments({ clients }: ApplicationItem) {
  if (clients.length === 0) return <Dimmed>No clients yet</Dimmed>;
  return (
    <Group gap={6} wrap="wrap">
      {environmentNames.flatMap((environment) => {
        const here = clients.filter((client) => client.environment === environment);
        return here.length === 0
          ? []
          : [
              <EnvironmentBadge
                key={environment}
                client={{ environment, enabled: here.some(({ enabled }) => enabled) }}
              />,
            ];
      })}
    </Group>
  );
}

const typesOf = (clients: ApplicationItem["clients"]) =>
  [...new Set(clients.map(({ type }) => CLIENT_TYPES[type].label))].join(", ");

const applications = (count: number) => (count === 1 ? "1 application" : `${count} applications`);

type Props = { loaded: ApplicationItem[]; under: string; order: { by: string; choose: (by: string) => void } };

/**
 * The loaded applications; their clients can be disabled together. The selection ends when `under`, the filters,
 * changes. CO-36.
 */
export function ApplicationsTable({ loaded, under, order }: Props) {
  const trpc = useTRPC();
  const { can } = useMe();
  const changed = useApplicationChanged();
  const [asking, dialog] = useDisclosure();
  const selection = useSelection(
    loaded.map(({ id }) => id),
    under,
  );
  const disabled = useRef(new Map<string, readonly string[]>());
  const setEnabled = useMutation(trpc.clients.setEnabled.mutationOptions({ meta: { errorShownInForm: true } }));
  const clientsOf = (id: string) => loaded.find((application) => application.id === id)?.clients ?? [];
  const mayDisable = ({ environment }: ApplicationItem["clients"][number]) =>
    environment === "production" ? can.manageProduction : can.manageDevelopment;

  async function disable(id: string): Promise<void> {
    const ids = clientsOf(id)
      .filter(({ enabled }) => enabled)
      .map(({ clientId }) => clientId);
    disabled.current.set(id, ids);
    for (const clientId of ids) await setEnabled.mutateAsync({ clientId, enabled: false });
  }
  async function enable(id: string): Promise<void> {
    for (const clientId of disabled.current.get(id) ?? []) await setEnabled.mutateAsync({ clientId, enabled: true });
  }
  const rows = loaded
    .filter(({ id }) => selection.table.isSelected(id))
    .map(({ id, name, clients }) => ({ id, label: name, locked: lockedBecause(clients, mayDisable) }));
  const chosen = rows.filter(({ locked }) => locked === undefined);
  const ending = chosen.flatMap(({ id }) => clientsOf(id)).filter(({ enabled }) => enabled);
  const impact = useBulkImpact(ending, asking);
  const inProduction = chosen.filter(({ id }) =>
    clientsOf(id).some(({ enabled, environment }) => enabled && environment === "production"),
  );
  const only = chosen.length === 1 ? chosen[0] : undefined;
  return (
    <>
      <DataTable
        name="applications"
        label="Applications"
        rows={loaded}
        columns={APPLICATION_COLUMNS}
        rowId={({ id }) => id}
        href={({ id }) => `/applications/${id}`}
        selection={can.manageDevelopment ? { ...selection.table, labelOf: ({ name }) => name } : undefined}
        order={order}
      />
      <SelectionBar selected={selection.selected} clear={selection.clear}>
        <Button
          size="compact-sm"
          color="red"
          leftSection={<IconPlayerPause size={14} aria-hidden="true" />}
          onClick={dialog.open}
        >
          Disable
        </Button>
      </SelectionBar>
      <BulkDialog
        opened={asking}
        close={dialog.close}
        title="Disable applications"
        text={`Every client of ${only ? "the application" : "these applications"} stops getting tokens, and the tokens that it has stop working. ${usedLately(loaded.filter(({ id }) => selection.table.isSelected(id)))}`}
        action="Disable"
        countOf={applications}
        where={whereOf(inProduction.length, chosen.length)}
        impact={chosen.length > 0 && <BulkImpact {...impact} />}
        expected={impact.inProduction ? (only?.label ?? String(chosen.length)) : undefined}
        rows={rows}
        act={disable}
        undo={enable}
        finished={() => {
          selection.clear();
          void changed();
        }}
      />
    </>
  );
}

function whereOf(inProduction: number, all: number): string | undefined {
  if (inProduction === 0) return undefined;
  return inProduction === all ? "in production" : `(${inProduction} in production)`;
}

function lockedBecause(
  clients: ApplicationItem["clients"],
  mayDisable: (client: ApplicationItem["clients"][number]) => boolean,
): string | undefined {
  if (clients.length === 0) return "It has no clients.";
  const enabled = clients.filter((client) => client.enabled);
  if (enabled.length === 0) return "Already disabled.";
  const lockedBy = enabled.find((client) => client.lockedBy !== null)?.lockedBy;
  if (lockedBy) return `${lockedBy} manages and locks it.`;
  return enabled.every(mayDisable) ? undefined : "Only admins can disable its production client.";
}

const WEEK = 7 * 86_400;

/** How many of the selected ones somebody would miss. */
function usedLately(selected: readonly ApplicationItem[]): string {
  const recent = selected.filter(({ lastTokenAt }) => lastTokenAt > Date.now() / 1000 - WEEK);
  if (recent.length === 0) return "None of them got a token in the last 7 days.";
  return `${recent.length === 1 ? "One of them" : `${recent.length} of them`} got a token in the last 7 days: ${recent.map(({ name }) => name).join(", ")}.`;
}
