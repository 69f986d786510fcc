"use client";

import { Button, Group, List, Modal, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { messageOf, retryAfterOf } from "@/trpc/errors.ts";
import { TypeToConfirm } from "../type-to-confirm.tsx";
import { runForEach, type Verdict } from "./bulk.ts";

/** A row that a bulk act is about. `locked`: why it is left out. */
export type BulkRow = { id: string; label: string; locked?: string | undefined };

type Props = {
  opened: boolean;
  close: () => void;
  title: string;
  /** What happens to the rows. */
  text: string;
  /** "Disable" + "3 users" + "in production". */
  action: string;
  countOf: (count: number) => string;
  /** Where the rows are changed, as the end of the button's label. */
  where?: string | undefined;
  /** Who is affected. CO-37. */
  impact?: ReactNode;
  /** What to type, if this takes access from users in production. CO-43. */
  expected?: string | undefined;
  rows: readonly BulkRow[];
  act: (id: string) => Promise<unknown>;
  /** The inverse of `act`. CO-78. */
  undo: (id: string) => Promise<unknown>;
  /** Called when some rows have changed. */
  finished: () => void;
};

type Run = {
  kind: "act" | "undo";
  ids: readonly string[];
  verdicts: readonly Verdict[];
  stop: AbortController;
  over: boolean;
};

/**
 * Runs an act for each selected row: names the rows that it leaves out, shows progress, and gives each row a verdict.
 * CO-84.
 */
export function BulkDialog({ opened, close, ...rest }: Props) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title={rest.title} size="lg">
      {opened && <Bulk close={close} {...rest} />}
    </Modal>
  );
}

function Bulk({
  close,
  text,
  action,
  countOf,
  where,
  impact,
  expected,
  rows: selected,
  act,
  undo,
  finished,
}: Omit<Props, "opened" | "title">) {
  const [rows] = useState(selected); // the list behind may load again
  const [run, setRun] = useState<Run>();
  const free = rows.filter(({ locked }) => locked === undefined);
  const locked = rows.filter((row) => row.locked !== undefined);
  const labelOf = (id: string) => rows.find((row) => row.id === id)?.label ?? id;

  async function start(kind: Run["kind"], ids: readonly string[]): Promise<void> {
    const stop = new AbortController();
    setRun({ kind, ids, verdicts: [], stop, over: false });
    const settled = (verdict: Verdict) => setRun((now) => now && { ...now, verdicts: [...now.verdicts, verdict] });
    await runForEach(ids, kind === "act" ? act : undo, { settled, messageOf, retryAfterOf, signal: stop.signal });
    setRun((now) => now && { ...now, over: true });
    finished();
  }

  if (run === undefined) {
    return (
      <TypeToConfirm
        expected={expected}
        action={[action, countOf(free.length), where].filter(Boolean).join(" ")}
        disabled={free.length === 0}
        onConfirm={() =>
          void start(
            "act",
            free.map(({ id }) => id),
          )
        }
        onCancel={close}
        pending={false}
        error={null}
      >
        <Text size="sm">{text}</Text>
        {impact}
        {locked.length > 0 && <LeftOut rows={locked} />}
      </TypeToConfirm>
    );
  }
  const failed = run.verdicts.filter(({ ok }) => !ok);
  const done = run.verdicts.filter(({ ok }) => ok);
  return (
    <Stack>
      <Counts run={run} failed={failed.length} />
      {failed.length > 0 && <Failures verdicts={failed} labelOf={labelOf} />}
      <Group justify="flex-end">
        {!run.over && (
          <Button variant="default" onClick={() => run.stop.abort()}>
            Stop
          </Button>
        )}
        {run.over && failed.length > 0 && (
          <Button
            variant="default"
            onClick={() =>
              void start(
                run.kind,
                failed.map(({ id }) => id),
              )
            }
          >
            Try the {failed.length} failed again
          </Button>
        )}
        {run.over && run.kind === "act" && done.length > 0 && (
          <Button
            variant="default"
            onClick={() =>
              void start(
                "undo",
                done.map(({ id }) => id),
              )
            }
          >
            Undo
          </Button>
        )}
        {run.over && <Button onClick={close}>Done</Button>}
      </Group>
    </Stack>
  );
}

function LeftOut({ rows }: { rows: readonly BulkRow[] }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Left out
      </Text>
      <List size="sm" mah={180} style={{ overflowY: "auto" }}>
        {rows.map(({ id, label, locked }) => (
          <List.Item key={id}>
            <bdi>{label}</bdi>: {locked}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Counts({ run: { kind, ids, verdicts, over }, failed }: { run: Run; failed: number }) {
  const done = verdicts.length;
  return (
    <div>
      <Text size="sm" fw={500} mb={6} role="status">
        {over
          ? `${done - failed} ${kind === "act" ? "done" : "undone"}, ${failed} failed${done < ids.length ? `, ${ids.length - done} not started` : ""}`
          : `${done} of ${ids.length}`}
      </Text>
      <Progress.Root size="md">
        <Progress.Section
          value={(done / ids.length) * 100}
          color={failed > 0 ? "yellow" : "indigo"}
          aria-label="Progress"
        />
      </Progress.Root>
    </div>
  );
}

function Failures({ verdicts, labelOf }: { verdicts: readonly Verdict[]; labelOf: (id: string) => string }) {
  return (
    <List size="sm" mah={220} style={{ overflowY: "auto" }} aria-label="Failed">
      {verdicts.map(({ id, message }) => (
        <List.Item key={id}>
          <bdi>{labelOf(id)}</bdi>: {message}
        </List.Item>
      ))}
    </List>
  );
}
