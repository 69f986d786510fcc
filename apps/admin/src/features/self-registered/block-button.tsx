"use client";

import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/form-error.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { ImpactNote } from "@/features/clients/impact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientBlock } from "@/trpc/types.ts";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

type Target = Pick<ClientBlock, "kind" | "value">;

const WHAT: Record<ClientBlock["kind"], { label: string; text: string }> = {
  client_id: { label: "client", text: "This client can’t sign users in any more, and its tokens stop counting at once." },
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
export function BlockButton({ target, size = "compact-xs" }: { target: Target; size?: "compact-xs" | "sm" }) {
  const [asking, dialog] = useDisclosure();
  const { label } = WHAT[target.kind];
  return (
    <>
      <Button
        size={size}
        variant={size === "sm" ? "default" : "subtle"}
        color="red"
        onClick={dialog.open}
        aria-label={`Block ${label} ${target.value}`}
      >
        Block{size === "sm" && ` ${label}`}
      </Button>
      <Modal opened={asking} onClose={dialog.close} title={`Block this ${label}?`}>
        <BlockForm target={target} close={dialog.close} />
      </Modal>
    </>
  );
}

function BlockForm({ target, close }: { target: Target; close: () => void }) {
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <bdi className="value">{target.value}</bdi>
        <Text size="sm">{text} You can lift the block later.</Text>
        {target.kind === "client_id" && <ImpactNote clientId={target.value} change={{ kind: "disable" }} />}
        <TextInput
          label="Reason"
          description="For other admins. Clients and users don’t see it."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          maxLength={200}
          data-autofocus
        />
        <NativeSelect label="How long" data={ENDS} value={lasts} onChange={({ currentTarget }) => setLasts(currentTarget.value)} />
        <FormError error={block.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={block.isPending}>
            Block {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
