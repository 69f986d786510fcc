"use client";

import type { Filters } from "@gatehouse/console/lists/filter";
import { STATS_RANGES, type StatsRange } from "@gatehouse/console/lists/lists";
import { Alert, Button, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { changeQuery, useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { DeliveryStats } from "@/trpc/types.ts";
import { useDeliveryFilters } from "../use-delivery-filters.ts";
import "@/components/charts/charts.css";
import { Numbers } from "./numbers.tsx";
import { HandlerChart, ResultChart } from "./over-time.tsx";
import { ProviderBars } from "./provider-bars.tsx";
import { ReasonBars } from "./reason-bars.tsx";
import { ResponseTimes } from "./response-times.tsx";

const RANGE = { range: { kind: "choice", values: STATS_RANGES } } as const satisfies Filters;
const RANGE_LABELS: Record<StatsRange, string> = { "1h": "1 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" };
const REFRESH_MS = 30_000;

/** The last hours or days in charts. A click on one filters the list. */
export function DeliveryCharts() {
  const { opened, toggle } = useOpened();
  const { values } = useFilters(RANGE);
  const range = values.range ?? "24h";
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <section className="charts" aria-label="Charts">
      <Group justify="space-between" gap="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Chevron size={14} aria-hidden="true" />}
          aria-expanded={opened}
          onClick={toggle}
        >
          Charts
        </Button>
        {opened && (
          <SegmentedControl
            size="xs"
            aria-label="Range"
            value={range}
            onChange={(value) => changeQuery({ range: value })}
            data={STATS_RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
          />
        )}
      </Group>
      {opened && <Loaded range={range} />}
    </section>
  );
}

/** Open in a wide window until the user has said otherwise. */
function useOpened() {
  const narrow = useMediaQuery("(max-width: 62em)", false);
  const [stored, setStored] = useLocalStorage<boolean | undefined>({
    key: "gatehouse.delivery-charts",
    defaultValue: undefined,
  });
  const opened = stored ?? !narrow;
  return { opened, toggle: () => setStored(!opened) };
}

function Loaded({ range }: { range: StatsRange }) {
  const trpc = useTRPC();
  const { environment, provider, endpoint } = useDeliveryFilters().values;
  const { data, error, isError, refetch } = useQuery({
    ...trpc.deliveries.stats.queryOptions({ range, environment, provider, endpoint }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  if (isError) return <LoadError error={error} retry={refetch} />;
  return data === undefined ? <Skeleton height={190} radius={8} mt={8} /> : <Charts stats={data} />;
}

function Charts({ stats }: { stats: DeliveryStats }) {
  const [numbers, setNumbers] = useState(false);
  return (
    <>
      {stats.evictedAt !== null && <Evicted at={stats.evictedAt} />}
      <div className="charts-row">
        <ResultChart stats={stats} />
        <ReasonBars stats={stats} />
        <ProviderBars stats={stats} />
        <HandlerChart stats={stats} />
        <ResponseTimes stats={stats} />
      </div>
      <Group gap="xs" mt={6}>
        <Text size="xs" c="dimmed">
          Counts may lag 10 s
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={numbers}
          onClick={() => setNumbers(!numbers)}
        >
          {numbers ? "Hide numbers" : "Show numbers"}
        </Button>
      </Group>
      {numbers && <Numbers stats={stats} />}
    </>
  );
}

function Evicted({ at }: { at: number }) {
  return (
    <Alert variant="light" color="yellow" mt={8} p="xs" title="Payloads are deleted early">
      Since <Timestamp at={at} />, the inbox is as large as <code>GATEHOUSE_DELIVERY_MAX_MB</code> allows, so the oldest
      payloads are deleted before their time. Raise the limit, or lower <code>GATEHOUSE_DELIVERY_DAYS</code>.
    </Alert>
  );
}
