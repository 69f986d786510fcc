"use client";

import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { Timestamp } from "@/components/timestamp.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { kindsOf, RunForm } from "./run-form.tsx";
import { TraceStep } from "./trace-step.tsx";
import classes from "./try.module.css";
import { useRun } from "./use-run.ts";

/** Runs the client's real flow as the user of the console, and shows every request. CO-38. */
export function TryClient({ client }: { client: ClientView }) {
  const run = useRun();
  const [first, ...more] = kindsOf(client);
  if (first === undefined) {
    return (
      <Text size="sm" c="dimmed">
        Nothing to try: this client is registered for no grant type that starts by itself. Add one under Settings.
      </Text>
    );
  }
  return (
    <Stack gap="xl">
      <Stack gap={4} maw={680}>
        <Text size="sm">
          Runs the real flow against this client, with you as the user. The client gets no extra redirect URI or secret,
          and its figures don’t change.
        </Text>
        <Text size="sm" c="dimmed">
          Tokens live five minutes. They end with the run, or when you leave this page.
        </Text>
      </Stack>
      {run.live ? (
        <Running run={run} />
      ) : (
        <RunForm client={client} kinds={[first, ...more]} starting={run.starting} disabled={run.busy} run={run.run} />
      )}
      {run.traces.length > 0 && (
        <section aria-label="Steps">
          <Title order={2} size="h4" mb="md">
            Steps
          </Title>
          <ol className={classes["steps"]} aria-live="polite">
            {run.traces.map((trace, at) => (
              <TraceStep key={`${at} ${trace.title}`} trace={trace} />
            ))}
          </ol>
        </section>
      )}
    </Stack>
  );
}

/** What the operator does next in a live run. */
function Running({ run: { live, busy, refresh, runChecks, end } }: { run: ReturnType<typeof useRun> }) {
  if (!live) return null;
  const { next, can, expiresAt } = live;
  return (
    <Alert variant="light" color="gray" title={TITLES[next.kind]}>
      <Stack gap="sm">
        {next.kind === "device" && (
          <Text component="div" className={classes["userCode"]}>
            {next.userCode}
          </Text>
        )}
        <Text size="sm">
          {HINTS[next.kind]} The run ends <Timestamp at={expiresAt} />.
        </Text>
        <Group gap="sm">
          {(next.kind === "sign_in" || next.kind === "device") && (
            <Button
              component="a"
              href={next.url}
              target="_blank"
              rel="noopener"
              rightSection={<IconExternalLink size={16} aria-hidden="true" />}
            >
              {next.kind === "sign_in" ? "Open the sign-in" : "Open the device page"}
            </Button>
          )}
          {can.refresh && (
            <Button variant="default" onClick={refresh} disabled={busy}>
              Refresh
            </Button>
          )}
          {can.check && (
            <Button variant="default" onClick={runChecks} disabled={busy}>
              Run negative checks
            </Button>
          )}
          <Button variant="default" onClick={end} disabled={busy}>
            End run
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

type NextKind = NonNullable<ReturnType<typeof useRun>["live"]>["next"]["kind"];

const TITLES: Record<NextKind, string> = {
  sign_in: "Sign in and allow",
  device: "Confirm the code",
  wait: "Waiting",
  none: "Run in progress",
};

const HINTS: Record<NextKind, string> = {
  sign_in: "A new tab opens the real sign-in. Only you can complete it.",
  device: "Open the device page in a new tab and compare the code. This page polls until you have decided.",
  wait: "The device asks again.",
  none: "Look at the steps below.",
};
