"use client";

import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import "@/components/charts/charts.css";
import { MetricChart } from "@/components/charts/metric-chart.tsx";
import { NumericTable } from "@/components/charts/numeric-table.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientUse } from "@/trpc/types.ts";
import { grantName } from "../client-types.ts";
import type { PanelProps } from "../panel.ts";

/** What the client did on each of the last 90 days. CO-35. */
export function UsePanel({ client: { clientId } }: PanelProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.clients.use.queryOptions({ clientId }));
  if (data) return <Use use={data} clientId={clientId} />;
  return error ? <LoadError error={error} retry={refetch} /> : <RowsSkeleton rows={1} height={200} />;
}

const ROW = { "--charts-in-row": 3 } as CSSProperties;
const SIGN_INS = () => "Sign-ins";
const REFUSALS = () => "Refusals";

function Use({ use: { tokens, signIns, refusals, stepSeconds }, clientId }: { use: ClientUse; clientId: string }) {
  const [numbers, setNumbers] = useState(false);
  const failures = `/failures?${new URLSearchParams({ clientId })}`;
  return (
    <Stack gap="sm" className="charts">
      <Text size="sm" c="dimmed">
        The last 90 days, by day in UTC. Counts may lag by a few seconds.
      </Text>
      <div className="metric-charts" style={ROW}>
        <MetricChart
          title="Tokens"
          unit={["token issued", "tokens issued"]}
          chart={tokens}
          nameOf={grantName}
          tones="parts"
          stepSeconds={stepSeconds}
        />
        <MetricChart
          title="Sign-ins"
          unit={["sign-in", "sign-ins"]}
          chart={signIns}
          nameOf={SIGN_INS}
          tones="parts"
          stepSeconds={stepSeconds}
        />
        <MetricChart
          title="Refusals"
          unit={["request refused", "requests refused"]}
          href={failures}
          chart={refusals}
          nameOf={REFUSALS}
          tones="failures"
          stepSeconds={stepSeconds}
        />
      </div>
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={numbers}
          onClick={() => setNumbers(!numbers)}
        >
          {numbers ? "Hide numbers" : "Show numbers"}
        </Button>
      </div>
      {numbers && <Numbers tokens={tokens} signIns={signIns} refusals={refusals} />}
    </Stack>
  );
}

/** The days on which the client did something, newest first. */
function Numbers({ tokens, signIns, refusals }: Pick<ClientUse, "tokens" | "signIns" | "refusals">) {
  const head = ["Day (UTC)", ...tokens.series.map(({ name }) => grantName(name)), "Sign-ins", "Refusals"];
  const rows = tokens.bars.map(({ at, counts }, day) => ({
    key: String(at),
    name: new Date(at * 1000).toISOString().slice(0, 10),
    values: [...counts, signIns.bars[day]?.counts[0] ?? 0, refusals.bars[day]?.counts[0] ?? 0],
  }));
  const busy = rows.filter(({ values }) => values.some((value) => value > 0)).toReversed();
  if (busy.length === 0) return <Text size="sm">This client did nothing in the last 90 days.</Text>;
  return <NumericTable label="Tokens by grant, sign-ins and refusals" head={head} rows={busy} />;
}
