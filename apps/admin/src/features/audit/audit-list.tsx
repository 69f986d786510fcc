"use client";

import { AUDIT_FILTERS } from "@gatehouse/console/lists/lists";
import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { onDemand } from "@/components/on-demand.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { Peek, PeekRoom } from "@/components/peek/peek.tsx";
import { usePeek } from "@/components/peek/use-peek.ts";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { AuditTable, COLUMNS, hrefOf } from "./audit-table.tsx";
import { ChainState, CompareHead, useVerification, VerifyButton } from "./verify.tsx";

/** Loaded when a row is opened. */
const EntryDetail = dynamic(() => import("./entry-detail.tsx").then((module) => module.EntryDetail), {
  loading: () => <RowsSkeleton rows={3} height={64} />,
});

const ExportAudit = onDemand(() => import("./export-audit.tsx").then((module) => module.ExportAudit));

const FIELDS: readonly FilterField[] = [
  { kind: "text", name: "actor", label: "Who", maxLength: 255 },
  { kind: "text", name: "action", label: "Action", maxLength: 64 },
  { kind: "text", name: "object", label: "Object", maxLength: 255 },
  { kind: "instant", name: "from", label: "From" },
  { kind: "instant", name: "to", label: "To" },
];

/** The audit log: who changed or revealed what. CO-64 to CO-66. */
export function AuditList() {
  const trpc = useTRPC();
  const verification = useVerification();
  const confirmed = useConfirmed();
  const [exporting, dialog] = useDisclosure();
  useEnvironment();
  const { values, set, isSet, clear } = useFilters(AUDIT_FILTERS);
  const { environment: _, ...chosen } = values;
  const query = useInfiniteQuery({
    ...useListPlace(trpc.audit.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const peek = usePeek(
    rows.map(({ id }) => id),
    (id) => hrefOf(rows.find((row) => row.id === id) ?? { id, number: null }),
  );
  const opened = rows.find(({ id }) => id === peek.openId);
  return (
    <PeekRoom peeking={opened !== undefined}>
      <PageFrame
        title="Audit log"
        description="Every change in the console, through the API and on the command line, and every access to sensitive data."
        actions={
          <Group gap="sm">
            <CompareHead verification={verification} />
            <VerifyButton verification={verification} />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              onClick={() => confirmed(dialog.open)}
            >
              Export
            </Button>
          </Group>
        }
      />
      <ChainState verification={verification} />
      <List
        query={query}
        filtered={isSet}
        filters={
          <FilterBar
            label="Filter the audit log"
            fields={FIELDS}
            values={chosen}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="audit" columns={COLUMNS} paged />
          </FilterBar>
        }
        empty={
          <EmptyState icon={<IconHistory size={26} />} title="Nothing has changed yet">
            Each change of an application, user, webhook or setting appears here with its author.
          </EmptyState>
        }
        noMatch={{
          title: "No rows found",
          text: "No row matches these filters. An action is a noun like client, or client.update.",
        }}
        skeleton={{ rows: 10, height: 36 }}
      >
        {(items) => <AuditTable rows={items} open={peek.open} openId={peek.openId} />}
      </List>
      {opened && (
        <Peek
          id={opened.id}
          noun="row"
          href={hrefOf(opened)}
          previous={peek.previous}
          next={peek.next}
          close={peek.close}
        >
          <EntryDetail entry={opened} place="peek" />
        </Peek>
      )}
      <ExportAudit opened={exporting} close={dialog.close} />
    </PeekRoom>
  );
}
