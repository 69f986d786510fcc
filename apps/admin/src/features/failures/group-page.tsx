"use client";

import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Trend } from "@/components/charts/trend.tsx";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { FailureGroup } from "@/trpc/types.ts";
import { ClientName } from "./client-name.tsx";
import { Decide } from "./decide.tsx";
import styles from "./failures.module.css";
import { GroupState } from "./group-state.tsx";
import { RefusalList } from "./refusal-list.tsx";

import { ACTORS, differenceText } from "./words.ts";

const SECTION = [{ label: "Failures", href: "/failures" }];

/** Refusals with the same cause, client, endpoint and difference, and what a person decided about them. CO-46. */
export function GroupPage({ groupKey }: { groupKey: string }) {
  const group = useQuery(useTRPC().refusals.group.queryOptions({ key: groupKey }));
  if (group.isPending) return <RowsSkeleton rows={2} height={160} />;
  if (group.data === undefined) return <LoadError error={group.error} retry={group.refetch} />;
  return <Loaded group={group.data} />;
}

function Loaded({ group }: { group: FailureGroup }) {
  const { explanation, difference, client, endpoint, cause, howToFix, actor, count, firstAt, lastAt, state, trend } =
    group;
  const { can } = useMe();
  const title =
    difference === ""
      ? explanation.replace(/\.$/, "")
      : `${explanation.replace(/\.$/, "")}: ${differenceText(difference)}`;
  return (
    <>
      <PageFrame
        title={title}
        crumbs={SECTION}
        environment={client?.environment ?? undefined}
        facts={
          <Group gap="md">
            <GroupState group={group} />
            <span>
              <code>{cause}</code> · {endpoint}
            </span>
            <ClientName client={client} />
          </Group>
        }
        actions={can.manageDevelopment && <Decide group={group} />}
      />
      {state === "regressed" && (
        <Alert variant="light" color="red" icon={<IconAlertTriangle aria-hidden="true" />} mb="md">
          This returned after somebody resolved it.
        </Alert>
      )}
      <Group gap="xl" mb="lg">
        <Text size="sm">
          <b>{count.toLocaleString("en")}</b> {count === 1 ? "request" : "requests"} since <Timestamp at={firstAt} />,
          the last one <Timestamp at={lastAt} />
        </Text>
        <Trend days={trend} />
      </Group>
      <section aria-labelledby="what-to-do" className={styles["evidence"]}>
        <div>
          <h2 id="what-to-do" className={styles["heading"]}>
            What to do
          </h2>
          <Text size="sm">{howToFix}</Text>
          <Text size="sm" c="dimmed">
            Who acts: {ACTORS[actor]}.
          </Text>
        </div>
        <div>
          <h2 className={styles["heading"]}>The newest requests</h2>
          <RefusalList group={group.key} />
        </div>
      </section>
    </>
  );
}
