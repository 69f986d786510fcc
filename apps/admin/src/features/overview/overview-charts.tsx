"use client";

import type { StatsRange } from "@gatehouse/console/lists/lists";
import { Button } from "@mantine/core";
import { useState } from "react";
import { grantName } from "@/features/clients/client-types.ts";
import "@/components/charts/charts.css";
import { MetricChart } from "@/components/charts/metric-chart.tsx";
import { NumericTable } from "@/components/charts/numeric-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Environment, Overview } from "@/trpc/types.ts";
import { causeLabel } from "./cause-label.ts";

type Props = { overview: Overview; environment: Environment | undefined; range: StatsRange };

const PERIODS: Record<StatsRange, string> = { "1h": "hour", "24h": "day", "7d": "7 days", "30d": "30 days" };
const SIGN_INS: Record<string, string> = { succeeded: "Succeeded", failed: "Failed" };

/** Sign-ins, tokens, refusals and webhooks, each with its total and the change. CO-10. */
export function OverviewCharts({ overview, environment, range }: Props) {
  const [numbers, setNumbers] = useState(false);
  const { from, stepSeconds } = overview;
  const query = (parameters: Record<string, string>) =>
    new URLSearchParams({ environment: environment ?? "all", ...parameters });
  const common = { stepSeconds, period: PERIODS[range] };
  const since = { from: String(from) };
  return (
    <section aria-label="Charts">
      <div className="metric-charts" style={{ marginTop: 28 }}>
        <MetricChart
          {...common}
          title="Sign-ins"
          unit={["sign-in", "sign-ins"]}
          failed={{ word: "failed", href: `/sign-ins?${query({ ...since, outcome: "failed" })}` }}
          chart={overview.signIns}
          nameOf={(name) => SIGN_INS[name] ?? name}
          tones="outcome"
        />
        <MetricChart
          {...common}
          title="Tokens"
          unit={["token issued", "tokens issued"]}
          href={`/applications?${query({ sort: "lastToken" })}`}
          chart={overview.tokens}
          nameOf={grantName}
          tones="parts"
        />
        <MetricChart
          {...common}
          title="Refusals"
          unit={["request refused", "requests refused"]}
          href={`/failures?${query(since)}`}
          chart={overview.refusals}
          nameOf={causeLabel}
          tones="parts"
          riseIsBad
        />
        <MetricChart
          {...common}
          title="Webhooks"
          unit={["delivery", "deliveries"]}
          failed={{ word: "rejected", href: `/deliveries?${query({ ...since, outcome: "rejected" })}` }}
          href={`/deliveries?${query(since)}`}
          chart={overview.webhooks}
          nameOf={(name) => name}
          tones="parts"
        />
      </div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        mt={4}
        aria-expanded={numbers}
        onClick={() => setNumbers(!numbers)}
      >
        {numbers ? "Hide numbers" : "Show numbers"}
      </Button>
      {numbers && (
        <div className="charts-numbers">
          <Numbers label="Sign-ins" chart={overview.signIns} nameOf={(name) => SIGN_INS[name] ?? name} />
          <Numbers label="Tokens by grant" chart={overview.tokens} nameOf={grantName} />
          <Numbers label="Refusals by cause" chart={overview.refusals} nameOf={causeLabel} />
          <Numbers label="Webhooks by provider" chart={overview.webhooks} nameOf={(name) => name} />
        </div>
      )}
    </section>
  );
}

function Numbers({
  label,
  chart: { series, bars },
  nameOf,
}: {
  label: string;
  chart: Overview["tokens"];
  nameOf: (name: string) => string;
}) {
  return (
    <NumericTable
      label={label}
      head={["From", ...series.map(({ name }) => nameOf(name))]}
      rows={bars.map(({ at, counts }) => ({
        key: String(at),
        name: <Timestamp at={at} brief seconds />,
        values: counts,
      }))}
    />
  );
}
