"use client";

import { Alert, Anchor, Button, Code, Text } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { AuditVerification } from "@/trpc/types.ts";

/** Checks the whole chain, a part at a time. */
export function useVerification() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(): Promise<AuditVerification> {
      let result = await queries.fetchQuery({ ...trpc.audit.verify.queryOptions({}), staleTime: 0 });
      while (result.state === "more")
        result = await queries.fetchQuery({ ...trpc.audit.verify.queryOptions({ cursor: result.cursor }), staleTime: 0 });
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
      onClick={() => verification.mutate()}
    >
      Verify
    </Button>
  );
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
    </Alert>
  );
}
