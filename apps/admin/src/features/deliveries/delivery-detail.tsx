"use client";

import type { Filters } from "@gatehouse/console/lists/filter";
import { Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { History } from "@/features/audit/history.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";
import "./detail/delivery.css";
import { AttemptsTab } from "./detail/attempts-tab.tsx";
import { DeliveryFacts } from "./detail/delivery-facts.tsx";
import { DeliveryHeader } from "./detail/delivery-header.tsx";
import { DeliveryTimeline } from "./detail/delivery-timeline.tsx";
import { HeadersTab } from "./detail/headers-tab.tsx";
import { PayloadTab } from "./detail/payload-tab.tsx";
import { RelatedTab } from "./detail/related-tab.tsx";
import { SignatureTab } from "./detail/signature-tab.tsx";

const TABS = {
  payload: { label: "Payload", Panel: PayloadTab },
  headers: { label: "Headers", Panel: HeadersTab },
  signature: { label: "Signature", Panel: SignatureTab },
  attempts: { label: "Attempts", Panel: AttemptsTab },
  related: { label: "Related", Panel: RelatedTab },
  history: { label: "History", Panel: HistoryTab },
} as const;
type TabName = keyof typeof TABS;
const tabNames = Object.keys(TABS) as TabName[];

/** The selected tab, in the URL. */
const TAB = { tab: { kind: "choice", values: tabNames } } as const satisfies Filters;

/** One delivery: what happened at the left, what was sent at the right. A peek is the same in one column. */
export function DeliveryDetail({ id, place }: { id: string; place: "page" | "peek" }) {
  const trpc = useTRPC();
  const delivery = useQuery(trpc.deliveries.get.queryOptions({ id }));
  if (delivery.isPending) return <RowsSkeleton rows={3} height={120} />;
  if (delivery.data === undefined) return <LoadError error={delivery.error} retry={delivery.refetch} />;
  return <Loaded delivery={delivery.data} place={place} />;
}

function Loaded({ delivery, place }: { delivery: Delivery; place: "page" | "peek" }) {
  return (
    <article className="delivery">
      <DeliveryHeader delivery={delivery} place={place} />
      <div className="delivery-columns">
        <div className="delivery-story">
          <Text component="h2" size="sm" fw={600} mb="sm">
            Timeline
          </Text>
          <DeliveryTimeline delivery={delivery} />
        </div>
        <DeliveryTabs delivery={delivery} />
        <DeliveryFacts delivery={delivery} />
      </div>
    </article>
  );
}

function DeliveryTabs({ delivery }: { delivery: Delivery }) {
  const { values, set } = useFilters(TAB);
  const selected = values.tab ?? (delivery.outcome === "rejected" ? "signature" : "payload");
  return (
    <Tabs
      value={selected}
      onChange={(name) => set({ tab: tabNames.find((tab) => tab === name) })}
      keepMounted={false}
      className="delivery-tabs"
    >
      <Tabs.List mb="md" aria-label="Delivery">
        {tabNames.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {TABS[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabNames.map((name) => {
        const { Panel } = TABS[name];
        return (
          <Tabs.Panel key={name} value={name}>
            <Panel delivery={delivery} />
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

/** Who looked at the delivery's payload, or ran it again. CO-66. */
function HistoryTab({ delivery }: { delivery: Delivery }) {
  return <History object={delivery.id} />;
}
