"use client";

import type { Filters } from "@gatehouse/console/lists/filter";
import { STATS_RANGES, type StatsRange } from "@gatehouse/console/lists/lists";
import { SegmentedControl, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStartingEnvironment } from "@/components/installation.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError } from "@/components/state.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { changeQuery, useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { AttentionPanel } from "./attention-panel.tsx";
import { EndingSoon } from "./ending-soon.tsx";
import { FailureCauses } from "./failure-causes.tsx";
import "./overview.css";
import { GettingStarted } from "./getting-started.tsx";
import { OverviewCharts } from "./overview-charts.tsx";
import { REFRESH_MS, Updated } from "./updated.tsx";
import { useFirstSteps } from "./use-first-steps.ts";

const RANGE = { range: { kind: "choice", values: STATS_RANGES } } as const satisfies Filters;
const RANGE_LABELS: Record<StatsRange, string> = { "1h": "1 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" };

/** What needs somebody, what happened, and what ends soon. CO-09, CO-10, CO-14, CO-17. */
export function OverviewPage() {
  const range = useFilters(RANGE).values.range ?? "24h";
  const selected = useEnvironment(useStartingEnvironment());
  const environment = selected === "all" ? undefined : selected;
  const trpc = useTRPC();
  // Old numbers stay until new ones come: the range is relative, so each refresh moves it.
  const query = useQuery({
    ...trpc.overview.get.queryOptions({ range, environment }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const { open, isNew, brief, steps, dismiss } = useFirstSteps();
  return (
    <>
      <PageFrame
        title="Overview"
        facts={<Updated at={query.dataUpdatedAt} />}
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Range"
            value={range}
            onChange={(value) => changeQuery({ range: value === "24h" ? "" : value })}
            data={STATS_RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
          />
        }
      />
      <AttentionPanel />
      {open && <GettingStarted steps={steps} brief={brief} dismiss={dismiss} />}
      {query.isError && query.data === undefined ? (
        <LoadError error={query.error} retry={query.refetch} />
      ) : query.data === undefined ? (
        <Skeleton height={300} radius={8} mt="md" />
      ) : (
        <>
          {!isNew && <OverviewCharts overview={query.data} environment={environment} range={range} />}
          <div className="overview-columns">
            <FailureCauses refusals={query.data.refusals} from={query.data.from} environment={environment} />
            <EndingSoon secrets={query.data.endingSoon} now={query.data.at} />
          </div>
        </>
      )}
    </>
  );
}
