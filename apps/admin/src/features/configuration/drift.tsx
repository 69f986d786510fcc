"use client";

import { Anchor, Button, Stack, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { hrefOf } from "@/features/audit/audit-table.tsx";
import styles from "@/features/settings/settings.module.css";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor } from "@/trpc/list.ts";
import type { Drift } from "@/trpc/types.ts";
import drift from "./configuration.module.css";
import { KINDS } from "./kinds.ts";
import { valueText } from "./value-text.ts";

/** What differs from the files that manage it: file value, live value, who changed it and when. CO-73. */
export function DriftSection() {
  return (
    <section className={`${styles["section"]} ${drift["whole"]}`} aria-label="Drift">
      <div>
        <h2>Drift</h2>
        <p>
          What somebody changed about objects that a file manages. Apply the file again to undo it, or make the change
          in the file as well.
        </p>
      </div>
      <DriftList />
    </section>
  );
}

function DriftList() {
  const trpc = useTRPC();
  const query = useInfiniteQuery(trpc.configuration.drift.infiniteQueryOptions({}, byCursor));
  if (query.isPending) return <RowsSkeleton rows={2} height={36} />;
  if (query.isError) return <LoadError error={query.error} retry={query.refetch} />;
  const rows = query.data.pages.flatMap((page) => page.drift);
  const managed = query.data.pages.some((page) => page.managed);
  return (
    <Stack gap="sm" miw={0}>
      {rows.length > 0 ? (
        <DriftTable rows={rows} />
      ) : (
        <Text size="sm">{managed ? NO_DRIFT : "No file was applied yet, so there is nothing to compare with."}</Text>
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
          style={{ alignSelf: "start" }}
        >
          Search further
        </Button>
      )}
    </Stack>
  );
}

const NO_DRIFT = "No drift. Every object is as the file that manages it states.";

function DriftTable({ rows }: { rows: readonly Drift[] }) {
  return (
    <Table.ScrollContainer minWidth={760} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Drift" className={`card-table ${drift["drift"]}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Object</Table.Th>
            <Table.Th>Field</Table.Th>
            <Table.Th>In the file</Table.Th>
            <Table.Th>Live</Table.Th>
            <Table.Th>Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.kind} ${row.id} ${row.field}`}>
              <Table.Td>
                <ObjectCell row={row} />
              </Table.Td>
              {row.field === null ? (
                <Table.Td colSpan={3}>Removed</Table.Td>
              ) : (
                <>
                  <Table.Td>
                    <code>{row.field}</code>
                  </Table.Td>
                  <Table.Td>
                    <code>{valueText(row.fileValue)}</code>
                  </Table.Td>
                  <Table.Td>
                    <code>{valueText(row.liveValue)}</code>
                  </Table.Td>
                </>
              )}
              <Table.Td>
                <ByCell by={row.by} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const HREFS: Record<Drift["kind"], (id: string) => string> = {
  resource: (id) => `/resources/${encodeURIComponent(id)}`,
  application: (id) => `/applications/${encodeURIComponent(id)}`,
  client: (id) => `/go/${encodeURIComponent(id)}`,
  webhook_endpoint: (id) => `/webhooks/${encodeURIComponent(id)}`,
  sign_in_provider: (id) => `/sign-in-providers/${encodeURIComponent(id)}`,
};

function ObjectCell({ row: { kind, id, name, environment, file, field } }: { row: Drift }) {
  const label = <bdi>{visibleText(name)}</bdi>;
  const place = environment && `, ${ENVIRONMENTS[environment].label.toLowerCase()}`;
  return (
    <>
      {field === null ? (
        label
      ) : (
        <Anchor href={HREFS[kind](id)} size="sm">
          {label}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {KINDS[kind]}
        {place} · <bdi>{file}</bdi>
      </Text>
    </>
  );
}

function ByCell({ by }: Pick<Drift, "by">) {
  if (!by) return <Text size="sm">Its rows of the audit log are deleted</Text>;
  return (
    <>
      <Anchor component={Link} href={hrefOf(by.row)} size="sm">
        <Timestamp at={by.at} brief />
      </Anchor>
      <Text size="xs" c="dimmed">
        <bdi>{visibleText(by.name)}</bdi>
      </Text>
    </>
  );
}
