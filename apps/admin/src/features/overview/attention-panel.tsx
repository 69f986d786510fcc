"use client";

import { Anchor, Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/me.tsx";
import { LoadError } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Attention } from "@/trpc/types.ts";
import { fixOf, headline, mayAct } from "./fixes.ts";
import { REFRESH_MS } from "./updated.tsx";

type Item = Attention["items"][number];
/** Of more findings, the page shows these first. */
const SHOWN = 5;

/** The first line of the overview: "All well", or what needs somebody, with the page that fixes each. CO-09. */
export function AttentionPanel() {
  const trpc = useTRPC();
  const me = useMe();
  const cache = useQueryClient();
  const { data, error, isError, refetch } = useQuery({
    ...trpc.overview.attention.queryOptions({}),
    refetchInterval: REFRESH_MS,
  });
  const [details, setDetails] = useState(false);
  const [all, setAll] = useState(false);
  const [checking, setChecking] = useState(false);
  if (isError && data === undefined) return <LoadError error={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height={44} radius={8} />;

  async function checkAgain(): Promise<void> {
    setChecking(true);
    try {
      const fresh = await cache.fetchQuery({ ...trpc.overview.attention.queryOptions({ again: true }), staleTime: 0 });
      cache.setQueryData(trpc.overview.attention.queryKey({}), fresh);
    } finally {
      setChecking(false);
    }
  }

  const findings = data.items.filter(({ state }) => state !== "ok").toSorted(bySeverity);
  const fine = data.items.filter(({ state }) => state === "ok");
  const shown = all ? findings : findings.slice(0, SHOWN);
  return (
    <section
      className="attention"
      aria-label="Health"
      data-state={findings.length === 0 ? "ok" : (findings[0]?.state ?? "ok")}
    >
      <div className="attention-head">
        <p className="attention-title">
          <StateIcon state={findings.length === 0 ? "ok" : (findings[0]?.state ?? "ok")} />
          {headline(findings, me)}
        </p>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-expanded={details}
          onClick={() => setDetails(!details)}
        >
          {details ? "Hide checks" : `Show ${data.items.length} checks`}
        </Button>
      </div>
      {findings.length > 0 && (
        <ul className="attention-list attention-found">
          {shown.map((item) => (
            <Finding key={`${item.check} ${item.object}`} item={item} />
          ))}
        </ul>
      )}
      {findings.length > SHOWN && (
        <p className="attention-foot">
          {shown.length} of {findings.length} are shown
          <Button size="compact-xs" variant="default" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${findings.length}`}
          </Button>
        </p>
      )}
      {details && (
        <>
          <ul className="attention-list attention-fine">
            {fine.map((item) => (
              <li key={item.check}>
                <StateIcon state="ok" />
                <span>{item.sentence}</span>
              </li>
            ))}
          </ul>
          <p className="attention-foot">
            Checked <Timestamp at={data.at} />
            <Button size="compact-xs" variant="default" loading={checking} onClick={() => void checkAgain()}>
              Check again
            </Button>
          </p>
        </>
      )}
    </section>
  );
}

function Finding({ item }: { item: Item }) {
  const me = useMe();
  const fix = fixOf(item.fix, me);
  return (
    <li data-state={item.state}>
      <StateIcon state={item.state} />
      <span>
        <bdi>{item.sentence}</bdi> {mayAct(item, me) ? item.advice : <WhoActs who={item.who ?? "admin"} />}
        {item.since !== null && (
          <span className="attention-since">
            {" "}
            <Timestamp at={item.since} />
          </span>
        )}
      </span>
      {fix && (
        <Anchor component={Link} href={fix.href} prefetch={false} className="attention-fix">
          {fix.label}
        </Anchor>
      )}
    </li>
  );
}

/** Instead of what to do about it, for those who cannot. */
function WhoActs({ who }: { who: NonNullable<Item["who"]> }) {
  return <span className="attention-since">{who === "admin" ? "For an admin." : "For a developer or an admin."}</span>;
}

const ICONS = { ok: IconCircleCheck, warning: IconAlertTriangle, failed: IconExclamationCircle };
const WORDS = { ok: "Fine:", warning: "Warning:", failed: "Failed:" };

function StateIcon({ state }: { state: Item["state"] }) {
  const Icon = ICONS[state];
  return (
    <Icon size={16} stroke={1.75} role="img" aria-label={WORDS[state]} className="attention-icon" data-state={state} />
  );
}

const RANK = { failed: 0, warning: 1, ok: 2 };
const bySeverity = (one: Item, other: Item) => RANK[one.state] - RANK[other.state];
