"use client";

import { Box, Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ActionRow } from "@/components/action-row.tsx";
import { DangerAction, DangerZone } from "@/components/danger-zone.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { lockReason } from "@/features/configuration/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiResource, ResourceUsage } from "@/trpc/types.ts";
import { LosesAccess } from "./used-by.tsx";

type Props = { resource: ApiResource; usage: ResourceUsage | undefined };

/** Switching a resource off, which can be undone, and removing it, which cannot. CO-43. */
export function ResourceDanger({ resource, usage }: Props) {
  return (
    <Box mt={32}>
      <DangerZone>
        <Switch resource={resource} usage={usage} />
        <Remove resource={resource} usage={usage} />
      </DangerZone>
    </Box>
  );
}

function Switch({ resource: { id, name, enabled, managed }, usage }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asking, dialog] = useDisclosure();
  const set = useMutation(
    trpc.resources.setEnabled.mutationOptions({
      meta: { errorShownInForm: enabled },
      async onSuccess() {
        dialog.close();
        await queries.invalidateQueries(trpc.resources.list.queryFilter());
      },
    }),
  );
  // Unknown counts as production.
  const production = usage === undefined || usage.more || usage.inProduction > 0;
  const change = () => set.mutate({ id, enabled: !enabled });
  return (
    <ActionRow
      title={enabled ? "Turn off" : "Turn on"}
      hint={
        enabled
          ? "Its tokens become invalid within a second, and no new ones are issued. You can turn it on again at any time."
          : "Clients can request tokens for it again. Unexpired tokens from before count again."
      }
    >
      <Permitted reason={lockReason(managed)}>
        <Button variant="default" loading={set.isPending} onClick={enabled ? dialog.open : change}>
          {enabled ? "Turn off" : "Turn on"}
        </Button>
      </Permitted>
      <Modal opened={asking} onClose={dialog.close} title={`Turn off ${name}?`}>
        <TypeToConfirm
          expected={production ? name : undefined}
          action={production ? `Turn off ${name} in production` : `Turn off ${name}`}
          onConfirm={change}
          onCancel={dialog.close}
          pending={set.isPending}
          error={set.error}
        >
          <Text size="sm">Its tokens become invalid within a second.</Text>
          {usage && <LosesAccess usage={usage} />}
        </TypeToConfirm>
      </Modal>
    </ActionRow>
  );
}

function Remove({ resource: { id, name, managed }, usage }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const remove = useMutation(
    trpc.resources.remove.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged(`${name} is removed.`);
        router.push("/resources");
        await queries.invalidateQueries(trpc.resources.list.queryFilter());
      },
    }),
  );
  return (
    <DangerAction
      title="Remove this API resource"
      hint="Deletes its settings and scopes. Clients that have it can’t request it any more."
      button="Remove"
      reason={lockReason(managed)}
      fresh
      question={`Remove ${name}?`}
      expected={name}
      action={`Remove ${name}`}
      mutation={remove}
      act={() => remove.mutate({ id })}
    >
      <Text size="sm">Its tokens become invalid within a second. You can’t undo this.</Text>
      {usage && <LosesAccess usage={usage} />}
    </DangerAction>
  );
}
