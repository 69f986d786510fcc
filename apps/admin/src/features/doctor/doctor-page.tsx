"use client";

import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconStethoscope } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { FindingList } from "./finding-list.tsx";
import { type Part, useExamination } from "./use-examination.ts";

/** Examines the server as providers and clients reach it, and says what to change. */
export function DoctorPage() {
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.doctor.endpoints.queryOptions());
  const { parts, running, run } = useExamination();
  const button = (
    <Button
      leftSection={<IconStethoscope size={16} aria-hidden="true" />}
      loading={running}
      disabled={!endpoints.data}
      onClick={() => run(endpoints.data ?? [])}
    >
      {parts ? "Run checks again" : "Run checks"}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Doctor"
        description="Calls this server at its public address, as payment providers and clients do, and explains what gets in their way."
        action={parts && button}
      />
      <Stack gap="lg" aria-busy={running}>
        {endpoints.isError && <LoadError error={endpoints.error} retry={endpoints.refetch} />}
        {endpoints.isPending && <RowsSkeleton rows={3} />}
        {endpoints.data && !parts && (
          <EmptyState icon={<IconStethoscope size={26} />} title="Nothing checked yet" action={button}>
            The checks send harmless requests to{" "}
            {endpoints.data.length === 1 ? "one webhook endpoint" : `${endpoints.data.length} webhook endpoints`}. They
            appear under Deliveries, and no handler runs.
          </EmptyState>
        )}
        {parts && <Summary parts={parts} running={running} />}
        {parts?.map((part) => (
          <PartSection key={part.endpoint ?? ""} part={part} />
        ))}
      </Stack>
    </>
  );
}

function Summary({ parts, running }: { parts: Part[]; running: boolean }) {
  const findings = parts.flatMap((part) => (part.state === "done" ? part.findings : []));
  const done = parts.filter(({ state }) => state === "done" || state === "error").length;
  const count = (state: string) => findings.filter((one) => one.state === state).length;
  const [failed, warnings] = [
    count("failed") + parts.filter(({ state }) => state === "error").length,
    count("warning"),
  ];
  if (running)
    return (
      <Text size="sm" c="dimmed" role="status">
        Checked {done} of {parts.length}…
      </Text>
    );
  if (failed + warnings === 0)
    return <Alert color="teal" variant="light" title="Everything is as it should be" role="status" />;
  return (
    <Alert
      color={failed > 0 ? "red" : "yellow"}
      variant="light"
      role="status"
      title={failed > 0 ? `${failed} failed` : `${warnings} to look at`}
    >
      {failed > 0 && warnings > 0 ? `${warnings} more to look at. ` : ""}Each one below says what to change.
    </Alert>
  );
}

function PartSection({ part }: { part: Part }) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-label={part.endpoint ?? "Server"}>
      <Group gap="sm" mb={part.state === "waiting" ? 0 : "xs"}>
        <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
          {part.endpoint === null ? "Server" : `/api/webhooks/${part.endpoint}`}
        </Title>
        {part.state === "running" && <Loader size={16} aria-hidden="true" />}
        {part.state === "waiting" && (
          <Text size="sm" c="dimmed">
            Waiting
          </Text>
        )}
      </Group>
      {part.state === "running" && <RowsSkeleton rows={2} height={22} />}
      {part.state === "error" && <Text size="sm">{part.message}</Text>}
      {part.state === "done" && <FindingList findings={part.findings} />}
    </Paper>
  );
}
