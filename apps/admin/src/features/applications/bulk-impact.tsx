"use client";

import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { hasImpact, ImpactFacts } from "@/features/clients/impact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApplicationItem, ClientImpact } from "@/trpc/types.ts";

type Client = ApplicationItem["clients"][number];

/** How many clients are asked about, those of production first. The questions go in one request. */
const MOST_ASKED = 30;

/** What disabling these clients would take from users, added up; `asking`: whether to ask. CO-37. */
export function useBulkImpact(clients: readonly Client[], asking: boolean) {
  const trpc = useTRPC();
  const [production, others] = [true, false].map((wanted) =>
    clients.filter(({ environment }) => (environment === "production") === wanted),
  );
  const asked = [...(production ?? []), ...(others ?? [])].slice(0, MOST_ASKED);
  const answers = useQueries({
    queries: asked.map(({ clientId }) =>
      trpc.clients.impact.queryOptions({ clientId, change: { kind: "disable" } }, { enabled: asking, staleTime: 0 }),
    ),
  });
  const error = answers.find((answer) => answer.error !== null)?.error ?? null;
  const known = answers.flatMap(({ data }) => (data ? [data] : []));
  const affects = asked.some(
    ({ environment }, index) => environment === "production" && hasImpact(answers[index]?.data),
  );
  return {
    error,
    /** Undefined until every answer is there. */
    sum: known.length === asked.length ? sumOf(known) : undefined,
    asked: asked.length,
    notAsked: clients.length - asked.length,
    /** Whether users of production lose access. True while it isn't known. */
    inProduction: affects || (production ?? []).length > MOST_ASKED,
  };
}

/** Users of several clients count once for each. */
function sumOf(impacts: readonly ClientImpact[]): ClientImpact {
  const total = (of: "users" | "grants") => ({
    count: impacts.reduce((sum, impact) => sum + (impact[of]?.count ?? 0), 0),
    more: impacts.some((impact) => impact[of]?.more ?? true),
  });
  const tokens = impacts.map(({ lastTokenAt }) => lastTokenAt ?? 0);
  return {
    users: total("users"),
    grants: total("grants"),
    lastTokenAt: Math.max(0, ...tokens) || null,
    signIns30d: impacts.reduce((sum, { signIns30d }) => sum + (signIns30d ?? 0), 0),
    atOnce: [...new Set(impacts.flatMap(({ atOnce }) => atOnce))],
    later: [...new Set(impacts.flatMap(({ later }) => later))],
  };
}

/** Who loses access. */
export function BulkImpact({ error, sum, asked, notAsked }: ReturnType<typeof useBulkImpact>) {
  return (
    <div>
      <ImpactFacts data={sum} error={error} unit="sign-in" />
      {asked > 1 && (
        <Text size="sm" c="dimmed" mt="xs">
          A user of several clients counts once for each.
          {notAsked > 0 && ` ${notAsked.toLocaleString("en")} more clients aren’t counted here.`}
        </Text>
      )}
    </div>
  );
}
