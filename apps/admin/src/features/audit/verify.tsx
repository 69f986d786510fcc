"use client";

import { Alert, Anchor, Button, Code, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { AuditVerification } from "@/trpc/types.ts";

type Head = { number: number; mac: string };

/** Checks the whole chain, a part at a time, and that it still has the noted row. */
export function useVerification() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(noted: Head | undefined): Promise<AuditVerification> {
      let result = await queries.fetchQuery({ ...trpc.audit.verify.queryOptions({ noted }), staleTime: 0 });
      while (result.state === "more")
        result = await queries.fetchQuery({
          ...trpc.audit.verify.queryOptions({ noted, cursor: result.cursor }),
          staleTime: 0,
        });
      return result;
    },
  });
}

type Verifying = ReturnType<typeof useVerification>;

export function VerifyButton({ verification }: { verification: Verifying }) {
  return (
    <Button
      variant="default"
      leftSection={<IconShieldCheck size={16} aria-hidden="true" />}
      loading={verification.isPending}
      onClick={() => verification.mutate(undefined)}
    >
      Verify
    </Button>
  );
}

/**
 * Verifies that the log still has a row that somebody noted. Finds rows that were cut off together with the end of the
 * chain.
 */
export function CompareHead({ verification }: { verification: Verifying }) {
  const [opened, dialog] = useDisclosure();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  function submit(event: FormEvent) {
    event.preventDefault();
    const noted = headOf(text);
    if (!noted) return setProblem("Enter a number and a MAC, like 1042:kZ3v…");
    dialog.close();
    verification.mutate(noted);
  }
  return (
    <>
      <Button variant="subtle" onClick={dialog.open}>
        Compare
      </Button>
      <Modal opened={opened} onClose={dialog.close} title="Compare with a noted row">
        <form onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              label="Noted row"
              description="Number and MAC, as the server's log, an export or an earlier verification shows them."
              placeholder="1042:kZ3v…"
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              error={problem}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit">Verify</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

function headOf(text: string): Head | undefined {
  const [, number, mac] = /^(\d{1,15}):([\w.-]{1,64})$/.exec(text.trim()) ?? [];
  return number === undefined || mac === undefined ? undefined : { number: Number(number), mac };
}

/** What the verification found. Stays until the next one. CO-65. */
export function ChainState({ verification: { data, error } }: { verification: Verifying }) {
  if (error) {
    return (
      <Alert color="red" variant="light" title="The audit log could not be verified" mb="md" role="alert">
        {messageOf(error)}
      </Alert>
    );
  }
  if (!data) return null;
  if (data.broken) {
    const { number, problem } = data.broken;
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle aria-hidden="true" />}
        title={`The audit log was tampered with at row ${number}`}
        mb="md"
        role="alert"
        data-testid="chain-state"
        data-state="broken"
      >
        <Text size="sm">
          Row {number}: {problem}. Rows before it are intact. Compare this database with a backup.{" "}
          <Anchor component={Link} href={`/audit/${number}`} size="sm" underline="always">
            Open row {number}
          </Anchor>
        </Text>
      </Alert>
    );
  }
  if (data.state === "moved_back") {
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle aria-hidden="true" />}
        title="Newer rows were replaced"
        mb="md"
        role="alert"
        data-testid="chain-state"
        data-state="moved_back"
      >
        <Text size="sm">
          The rows fit together, but a server had seen a later end of the log. Somebody cut rows off, or a backup was
          restored.{" "}
          {data.findings.movedBack !== null && (
            <Anchor component={Link} href={`/audit/${data.findings.movedBack}`} size="sm" underline="always">
              Open row {data.findings.movedBack}
            </Anchor>
          )}
        </Text>
      </Alert>
    );
  }
  return (
    <Alert
      color="green"
      variant="light"
      icon={<IconShieldCheck aria-hidden="true" />}
      title={data.through === 0 ? "The audit log is empty" : `All rows up to ${data.through} are intact`}
      mb="md"
      role="status"
      data-testid="chain-state"
      data-state="intact"
    >
      {data.head && (
        <Text size="sm">
          No row was changed, inserted or deleted. To notice rows that are cut off at the end later, note{" "}
          <Code style={{ overflowWrap: "anywhere" }}>
            {data.head.number}:{data.head.mac}
          </Code>
          .
        </Text>
      )}
      <Findings findings={data.findings} />
    </Alert>
  );
}

/** Where an operator accepted a new secret, and rows that were sealed late. */
function Findings({ findings: { segments, sealedLate } }: Pick<AuditVerification, "findings">) {
  return (
    <>
      {segments.length > 0 && <Text size="sm">A new GATEHOUSE_SECRET was accepted in row {segments.join(", ")}.</Text>}
      {sealedLate.map(({ from, to, sealedAt }) => (
        <Text key={from} size="sm">
          {from === to ? `Row ${from} was` : `Rows ${from} to ${to} were`} sealed only on <Timestamp at={sealedAt} />,
          long after it was written. That is normal if no server was running. Otherwise compare them with a backup.
        </Text>
      ))}
    </>
  );
}
