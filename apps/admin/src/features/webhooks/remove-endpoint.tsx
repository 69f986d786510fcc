"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { DangerAction } from "@/components/danger-zone.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

export function RemoveEndpoint({
  endpoint: { slug },
  reason,
}: {
  endpoint: WebhookEndpoint;
  reason: string | undefined;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useWebhooksChanged();
  const remove = useMutation(
    trpc.webhookEndpoints.remove.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged(`${slug} is removed.`);
        router.push("/webhooks");
        await changed();
      },
    }),
  );
  return (
    <DangerAction
      title="Remove this endpoint"
      hint="Its secrets are deleted. It can be removed only when the log has none of its deliveries; until then, disable it."
      button="Remove endpoint"
      reason={reason}
      fresh
      question={`Remove ${slug}?`}
      expected={slug}
      action={`Remove ${slug}`}
      mutation={remove}
      act={() => remove.mutate({ slug })}
    >
      Its URL stops working and its secrets are deleted. You can’t undo this.
    </DangerAction>
  );
}
