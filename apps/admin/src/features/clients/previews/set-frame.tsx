"use client";

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ClientView, Previews } from "@/trpc/types.ts";
import { useSlotsChanged } from "./use-slots-changed.ts";

type Props = { client: ClientView; previews: Previews; reason: string | undefined; label: string; primary?: boolean };

/** Opens the form of the frame: which addresses slots can have. For admins. CO-29. */
export function SetFrame({ reason, label, primary = false, ...props }: Props) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Permitted reason={reason}>
        <Button size={primary ? "sm" : "xs"} variant={primary ? "filled" : "default"} onClick={dialog.open}>
          {label}
        </Button>
      </Permitted>
      <Modal opened={opened} onClose={dialog.close} title="Preview addresses" size="lg">
        <FrameForm {...props} close={dialog.close} />
      </Modal>
    </>
  );
}

type Frame = { hostPrefix: string; hostSuffix: string; path: string };
const NOTHING: Frame = { hostPrefix: "", hostSuffix: "", path: "/callback" };
const partsOf = ({ hostPrefix, hostSuffix, path }: Frame): Frame => ({ hostPrefix, hostSuffix, path });
const LABELS: Readonly<Record<string, string>> = {
  frame: "Preview addresses",
  "frame.hostPrefix": "Host starts with",
  "frame.hostSuffix": "Host ends with",
  "frame.path": "Path",
};

function FrameForm({
  client: { clientId },
  previews,
  close,
}: Pick<Props, "client" | "previews"> & { close: () => void }) {
  const trpc = useTRPC();
  const slotsChanged = useSlotsChanged(clientId);
  const changed = useApplicationChanged();
  // A refetch while the form is open changes neither: saving then says what somebody else changed.
  const [read] = useState({ frame: previews.frame && partsOf(previews.frame), version: previews.version });
  const [frame, setFrame] = useState(read.frame ?? NOTHING);
  const save = useMutation(
    trpc.previews.setFrame.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(_, { frame: saved }) {
        close();
        toastChanged(saved ? "Preview addresses saved." : "Previews turned off.");
        await Promise.all([slotsChanged(), changed()]);
      },
    }),
  );
  const errors = fieldErrorsOf(save.error);
  const field = (name: keyof typeof frame) => ({
    value: frame[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setFrame({ ...frame, [name]: currentTarget.value.trim() }),
    error: errors[`frame.${name}`],
    spellCheck: false,
    autoComplete: "off",
    autoCapitalize: "none",
  });
  const send = (next: Frame | null, version = read.version) => save.mutate({ clientId, version, frame: next });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(frame);
      }}
    >
      <Stack>
        <TextInput
          label="Host starts with"
          description="For example shop-git-. Can be empty, unless everybody’s deployments share the domain, as on vercel.app."
          maxLength={60}
          data-autofocus
          {...field("hostPrefix")}
        />
        <TextInput
          label="Host ends with"
          description="What follows the name of the preview: .preview.example.com or -team.vercel.app."
          required
          maxLength={190}
          {...field("hostSuffix")}
        />
        <TextInput
          label="Path"
          description="The callback of your application, the same in every preview."
          required
          maxLength={500}
          {...field("path")}
        />
        <Text size="sm">
          A slot can then be{" "}
          <code className="value" style={{ overflowWrap: "anywhere" }}>
            https://{frame.hostPrefix}pr-123{frame.hostSuffix || ".…"}
            {frame.path}
          </code>
        </Text>
        {previews.live.length > 0 && (
          <Text size="sm" c="dimmed">
            Live slots that don’t fit end at once, with their tokens.
          </Text>
        )}
        <ConflictDialog<{ frame: Frame | null }>
          error={save.error}
          base={{ frame: read.frame }}
          mine={{ frame: save.variables?.frame ?? null }}
          labelOf={(field) => LABELS[field] ?? field}
          save={({ frame: next }, version) => {
            if (next) setFrame(next);
            send(next, version);
          }}
        />
        <FormError error={save.error} shownAt={["frame.hostPrefix", "frame.hostSuffix", "frame.path"]} />
        <Group justify="space-between">
          {previews.frame ? (
            <Button variant="subtle" color="red" onClick={() => send(null)} disabled={save.isPending}>
              {previews.live.length === 0 ? "Turn previews off" : `Turn previews off and end ${previews.live.length}`}
            </Button>
          ) : (
            <span />
          )}
          <Group>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
