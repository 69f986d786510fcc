"use client";

import { Anchor, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery, RelatedDelivery } from "@/trpc/types.ts";
import { OUTCOMES } from "../reasons.ts";
import { Note } from "./payload-tab.tsx";

/** Other deliveries of the same event, events about the same object, and the endpoint. */
export function RelatedTab({ delivery }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const related = useQuery(trpc.deliveries.related.queryOptions({ id: delivery.id }));
  if (related.isPending) return <RowsSkeleton rows={3} height={64} />;
  if (related.data === undefined) return <LoadError error={related.error} retry={related.refetch} />;
  const { deliveries, complete, elsewhere, object, sameObject, searched, explanation, twin } = related.data;
  return (
    <>
      <Section title="Deliveries of this event">
        {explanation !== null && (
          <Text size="sm" mb="xs">
            {explanation}
          </Text>
        )}
        {delivery.event === null ? (
          <Note>This delivery was rejected, so it belongs to no event.</Note>
        ) : (
          <Deliveries label="Deliveries of this event" rows={deliveries} current={delivery.id} />
        )}
        {!complete && <Note>There can be more. The search stopped at its limit.</Note>}
      </Section>
      {elsewhere.length > 0 && (
        <Section title="The same event at other endpoints">
          <Deliveries label="The same event at other endpoints" rows={elsewhere} current={delivery.id} withEndpoint />
        </Section>
      )}
      {object !== null && (
        <Section title={`Events about ${object}`}>
          {twin !== null && (
            <Text size="sm" mb="xs">
              {twin}
            </Text>
          )}
          {sameObject.length > 0 && (
            <Deliveries label={`Events about ${object}`} rows={sameObject} current={delivery.id} />
          )}
          <Note>
            {sameObject.length === 0 && "None. "}
            {searched.toLocaleString("en")} deliveries of this endpoint before and after this one were searched.
          </Note>
        </Section>
      )}
      <Section title="Endpoint">
        <Anchor
          component={Link}
          href={`/deliveries?${new URLSearchParams({ endpoint: delivery.endpoint, environment: "all" })}`}
          size="sm"
        >
          All deliveries of {delivery.endpoint}
        </Anchor>
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="related">
      <Title order={3} size="0.875rem" mb="xs" style={{ overflowWrap: "anywhere" }}>
        {title}
      </Title>
      {children}
    </section>
  );
}

type DeliveriesProps = { label: string; rows: readonly RelatedDelivery[]; current: string; withEndpoint?: boolean };

function Deliveries({ label, rows, current, withEndpoint = false }: DeliveriesProps) {
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table aria-label={label} verticalSpacing={6} horizontalSpacing="sm" className="card-table">
        <Table.Tbody>
          {rows.map(({ id, receivedAt, outcome, eventType, endpoint }) => (
            <Table.Tr key={id} aria-current={id === current || undefined}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                {id === current ? (
                  <Timestamp at={receivedAt} seconds brief />
                ) : (
                  <Anchor component={Link} href={`/deliveries/${id}`} size="sm">
                    <Timestamp at={receivedAt} seconds brief />
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>{OUTCOMES[outcome].label}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{withEndpoint ? endpoint : (eventType ?? "–")}</Table.Td>
              <Table.Td>{id === current ? "This one" : ""}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
