"use client";

import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { DangerAction } from "@/components/danger-zone.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { LateImpactNote } from "./late-impact.tsx";

/** Removes one client in one environment. What an admin registered can be restored for seven days. CO-43, CO-44. */
export function RemoveClient({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const changed = useApplicationChanged();
  const { clientId, name, applicationName, environment, origin } = client;
  const restorable = origin === "registered";
  const place = ENVIRONMENTS[environment].label.toLowerCase();
  const remove = useMutation(
    trpc.clients.remove.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        if (restorable) changeQuery({ removed: clientId, environment, client: name });
        await queries.invalidateQueries(trpc.removed.pathFilter());
        await changed();
      },
    }),
  );
  return (
    <DangerAction
      title="Remove this client"
      hint={`Its tokens stop working immediately. ${restorable ? "You can restore it for 7 days." : "It can register again."} To turn it off temporarily, disable it instead.`}
      button="Remove client"
      reason={reason}
      fresh={environment === "production"}
      question={`Remove the ${place} client?`}
      expected={applicationName}
      action={`Remove ${name} from ${place}`}
      mutation={remove}
      act={(close) => remove.mutate({ clientId }, { onSuccess: close })}
    >
      <Text size="sm">
        {restorable
          ? "You can restore its settings for 7 days. Secrets and tokens can’t be restored."
          : "You can’t undo this. It can register again, without users."}
      </Text>
      <LateImpactNote clientId={clientId} change={{ kind: "remove" }} />
    </DangerAction>
  );
}
