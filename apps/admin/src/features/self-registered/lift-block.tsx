"use client";

import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BlockImpact, type BlockTarget, WHAT } from "./block-impact.tsx";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

/** Lifts a block after saying what works again. The button names its target to screen readers. CO-61. */
export function LiftBlock({ target }: { target: BlockTarget }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={dialog.open} aria-label={`Lift the block of ${target.value}`}>
        Lift
      </Button>
      <Modal opened={asking} onClose={dialog.close} title={`Lift the block of this ${WHAT[target.kind].label}?`}>
        <LiftForm target={target} close={dialog.close} />
      </Modal>
    </>
  );
}

function LiftForm({ target, close }: { target: BlockTarget; close: () => void }) {
  const changed = useSelfRegisteredChanged();
  const lift = useMutation(
    useTRPC().clientBlocks.unblock.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged(`${target.value} is no longer blocked.`);
        close();
        await changed();
      },
    }),
  );
  return (
    <TypeToConfirm
      expected={undefined}
      action="Lift the block"
      color="indigo"
      onConfirm={() => lift.mutate(target)}
      onCancel={close}
      pending={lift.isPending}
      error={lift.error}
    >
      <bdi className="value">{target.value}</bdi>
      <BlockImpact target={target} />
      <Text size="sm">Tokens that haven’t expired work again.</Text>
    </TypeToConfirm>
  );
}
