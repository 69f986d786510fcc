"use client";

import { Button, Modal, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { hasImpact, ImpactNote, useImpact } from "@/features/clients/impact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BlockImpact, type BlockTarget, WHAT } from "./block-impact.tsx";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

/** `name`: of a client, to type if users lose access. CO-43. */
type Named = { target: BlockTarget; name?: string | undefined };

const DAY = 86_400;
const ENDS = [
  { value: "", label: "Until someone lifts it" },
  { value: String(DAY), label: "For a day" },
  { value: String(7 * DAY), label: "For a week" },
  { value: String(30 * DAY), label: "For 30 days" },
];

/** Blocks a client, a document host or a software id. The button names its target to screen readers. CO-61. */
export function BlockButton({ target, name, size = "compact-xs" }: Named & { size?: "compact-xs" | "sm" }) {
  const [asking, dialog] = useDisclosure();
  const { label } = WHAT[target.kind];
  return (
    <>
      <Button
        size={size}
        variant={size === "sm" ? "light" : "subtle"}
        color="red"
        onClick={dialog.open}
        aria-label={`Block ${label} ${target.value}`}
      >
        Block{size === "sm" && ` ${label}`}
      </Button>
      <Modal opened={asking} onClose={dialog.close} title={`Block this ${label}?`}>
        <BlockForm target={target} name={name} close={dialog.close} />
      </Modal>
    </>
  );
}

const DISABLE = { kind: "disable" } as const;

function BlockForm({ target, name, close }: Named & { close: () => void }) {
  const ofClient = target.kind === "client_id";
  const { data: impact } = useImpact(target.value, DISABLE, ofClient);
  const changed = useSelfRegisteredChanged();
  const [reason, setReason] = useState("");
  const [lasts, setLasts] = useState("");
  const { label, text } = WHAT[target.kind];
  const block = useMutation(
    useTRPC().clientBlocks.block.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ disabled }) {
        const stopped = disabled === 1 ? "1 client" : `${disabled} clients`;
        toastChanged(`Blocked ${target.value}. ${stopped} stopped working.`);
        close();
        await changed();
      },
    }),
  );
  const submit = () => {
    const expiresAt = lasts === "" ? null : Math.floor(Date.now() / 1000) + Number(lasts);
    block.mutate({ ...target, reason, expiresAt });
  };
  return (
    <TypeToConfirm
      expected={ofClient && hasImpact(impact) ? name : undefined}
      action={`Block ${label}`}
      onConfirm={submit}
      onCancel={close}
      pending={block.isPending}
      error={block.error}
    >
      <bdi className="value">{target.value}</bdi>
      <Text size="sm">{text} You can lift the block later.</Text>
      {ofClient ? <ImpactNote clientId={target.value} change={DISABLE} /> : <BlockImpact target={target} />}
      <TextInput
        label="Reason"
        description="For other admins. Clients and users don’t see it."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <NativeSelect
        label="How long"
        data={ENDS}
        value={lasts}
        onChange={({ currentTarget }) => setLasts(currentTarget.value)}
      />
    </TypeToConfirm>
  );
}
