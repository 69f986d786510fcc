"use client";

import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { FormError } from "@/components/form-error.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { SignInProvider } from "@/trpc/types.ts";
import { TestResult } from "./test-result.tsx";
import { useProvidersChanged } from "./use-providers-changed.ts";

/** Signs the admin in at the provider and comes back with what arrived. Signs nobody in here. UP-01. */
export function TestSignIn({ provider: { id, name, tested } }: { provider: SignInProvider }) {
  const trpc = useTRPC();
  const changed = useProvidersChanged();
  const report = useSearchParams().get("report");
  const start = useMutation(
    trpc.signInProviders.startTest.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess: ({ url }) => window.location.assign(url),
    }),
  );
  const finish = useMutation(
    trpc.signInProviders.finishTest.mutationOptions({ meta: { errorShownInForm: true }, onSuccess: changed }),
  );
  // The report opens once here: a reload should not show an old result as a new one.
  const read = useEffectEvent((brought: string) => {
    changeQuery({ report: "" });
    finish.mutate({ id, report: brought });
  });
  useEffect(() => {
    if (report !== null) read(report);
  }, [report]);
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-labelledby="test-sign-in">
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: "1 1 280px" }}>
          <Title order={2} size="h4" id="test-sign-in">
            Sign-in
          </Title>
          <Text size="sm" c="dimmed" mt={4} maw={560}>
            {tested ? "A test has worked with these settings." : "Not tested with these settings yet."} Goes to {name}{" "}
            in this browser and comes back with what arrived, also while the provider is off. Signs nobody in, connects
            nothing and makes no account. If {name} shows an error of its own, compare the callback URL there.
          </Text>
        </div>
        <Button variant="default" loading={start.isPending || start.isSuccess} onClick={() => start.mutate({ id })}>
          Test sign-in
        </Button>
      </Group>
      <FormError error={start.error ?? finish.error} />
      <div aria-live="polite">{finish.data && <TestResult result={finish.data} name={name} />}</div>
    </Paper>
  );
}
