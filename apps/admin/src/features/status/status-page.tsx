"use client";

import { Button, Skeleton } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PageHeader } from "@/components/page-header.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { Status } from "@/trpc/types.ts";
import styles from "./status.module.css";
import { LevelIcon, StatusRow } from "./status-row.tsx";
import { headline, worstFirst } from "./words.ts";

/** How often the status is read again. Not while its tab is hidden. */
const REFRESH_MS = 30_000;

/** Whether the installation is well: the answer, and each item with what to do about it. OP-79. */
export function StatusPage() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({ ...trpc.status.get.queryOptions(), refetchInterval: REFRESH_MS });
  const [checking, setChecking] = useState(false);

  async function checkAgain(): Promise<void> {
    setChecking(true);
    await refetch();
    setChecking(false);
  }

  return (
    <>
      <PageHeader
        title="Status"
        description={
          <>
            Whether this installation is well, by the same checks as <code>gatehouse status</code>.
          </>
        }
        action={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={checking}
            onClick={() => void checkAgain()}
          >
            Check again
          </Button>
        }
      />
      {data ? (
        <>
          <Answer status={data} error={error} />
          <ul className={styles["items"]} aria-label="Checks">
            {worstFirst(data.items).map((item) => (
              <StatusRow key={item.name} item={item} />
            ))}
          </ul>
        </>
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <>
          <Skeleton height={78} radius={8} mb="md" />
          <RowsSkeleton rows={14} height={28} />
        </>
      )}
    </>
  );
}

/** `error`: why the status could not be read again since. */
function Answer({ status: { at, level, items }, error }: { status: Status; error: unknown }) {
  return (
    <section className={styles["answer"]} aria-label="Answer">
      <LevelIcon level={level} size={32} />
      <div>
        <div role="status">
          <h2 className={styles["headline"]}>{headline(items)}</h2>
        </div>
        <p className={styles["checked"]}>
          Checked <Timestamp at={at} />
          {error ? <span role="alert">. Checking again failed: {messageOf(error)}</span> : ", again every 30 s"}
        </p>
      </div>
    </section>
  );
}
