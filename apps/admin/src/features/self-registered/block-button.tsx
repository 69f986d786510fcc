"use client";

import { Button, Modal, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { hasImpact, ImpactNote, useImpact } from "@/features/clients/impact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientBlock } from "@/trpc/types.ts";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

type Target = Pick<ClientBlock, "kind" | "value">;
/** `name`: of a client, to type if users lose access. CO-43. */
type Named = { target: Target; name?: string | undefined };

const WHAT: Record<ClientBlock["kind"], { label: string; text: string }> = {
  client_id: { label: "client", text: "This client can’t sign users in any more, and its tokens become invalid at once." },
  document_host: {
    label: "host",
    text: "Every client whose metadata document is on this host or below it stops working at once, and new ones are rejected.",
  },
  software_id: { label: "software", text: "Every client with this software id stops working at once, and new ones are rejected." },
};
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
      {ofClient && <ImpactNote clientId={target.value} change={DISABLE} />}
      <TextInput
        label="Reason"
        description="For other admins. Clients and users don’t see it."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <NativeSelect label="How long" data={ENDS} value={lasts} onChange={({ currentTarget }) => setLasts(currentTarget.value)} />
    </TypeToConfirm>
  );
}
