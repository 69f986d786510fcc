"use client";

import { Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { DangerAction } from "@/components/danger-zone.tsx";
import { LateImpactFacts } from "@/features/clients/late-impact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application } from "@/trpc/types.ts";

/**
 * Removes the application with all its clients. What an admin registered can be restored for seven days. CO-43, CO-44.
 */
export function RemoveApplication({ application, reason }: { application: Application; reason: string | undefined }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const { id, name, clients } = application;
  const restorable = clients.every(({ origin }) => origin === "registered");
  const remove = useMutation(
    trpc.applications.remove.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        router.push(restorable ? `/applications?removed=${encodeURIComponent(id)}` : "/applications");
        await queries.invalidateQueries(trpc.applications.list.pathFilter());
        await queries.invalidateQueries(trpc.removed.pathFilter());
      },
    }),
  );
  return (
    <DangerAction
      title="Remove this application"
      hint={`Removes all its clients in every environment. ${restorable ? "You can restore it for 7 days." : "It can register again."}`}
      button="Remove application"
      reason={reason}
      fresh={clients.some(({ environment }) => environment === "production")}
      question={`Remove ${name}?`}
      expected={clients.length > 0 ? name : undefined}
      action={`Remove ${name}`}
      mutation={remove}
      act={() => remove.mutate({ id })}
    >
      <Text size="sm">
        {restorable
          ? "You can restore its settings for 7 days. Secrets and tokens can’t be restored."
          : "You can’t undo this. It can register again, without users."}
      </Text>
      {clients.length > 0 && <ApplicationImpact id={id} />}
    </DangerAction>
  );
}

function ApplicationImpact({ id }: { id: string }) {
  const trpc = useTRPC();
  return (
    <LateImpactFacts {...useQuery(trpc.applications.impact.queryOptions({ id }, { staleTime: 0 }))} unit="sign-in" />
  );
}
