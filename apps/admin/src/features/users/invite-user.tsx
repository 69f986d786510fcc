"use client";

import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { FormError } from "@/components/form-error.tsx";
import { ROLES, roleOptions } from "@/components/role-badge.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { InvitationSent, Role } from "@/trpc/types.ts";

/** Invites somebody by email, or shows the link to pass on if the server cannot send mail. */
export function InviteUser({ opened, close, email = "" }: { opened: boolean; close: () => void; email?: string }) {
  const [sent, setSent] = useState<InvitationSent>();
  const done = () => {
    setSent(undefined);
    close();
  };
  return (
    <Modal opened={useOpenedLate(opened)} onClose={done} title={sent ? "Copy the invitation link" : "Invite user"}>
      {sent?.link ? (
        <InvitationLink sent={sent} link={sent.link} close={done} />
      ) : (
        <InviteForm email={email} onSent={setSent} close={done} />
      )}
    </Modal>
  );
}

function InviteForm({
  email,
  onSent,
  close,
}: {
  email: string;
  onSent: (sent: InvitationSent) => void;
  close: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { email, role: "user" as Role } });
  const create = useMutation(
    trpc.invitations.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(sent) {
        await queries.invalidateQueries(trpc.invitations.pathFilter());
        if (sent.link !== null) return onSent(sent);
        toastChanged(`Invitation sent to ${sent.email}.`);
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <Text size="sm">They choose their own password or passkey. The invitation is valid for 7 days.</Text>
        <TextInput
          label="Email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("email")}
        />
        <NativeSelect
          label="Role"
          description={ROLES[form.values.role].hint}
          data={roleOptions}
          {...form.getInputProps("role")}
        />
        <FormError error={create.error} shownAt={["email", "role"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The link of an invitation that could not be mailed. */
export function InvitationLink({ sent, link, close }: { sent: InvitationSent; link: string; close: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        This server doesn’t send mail. Give this link to {sent.email} through a channel you trust. It works once, and it
        isn’t shown again.
      </Text>
      <UntilPageHides>
        <CopyValue value={link} what="invitation link" cut testId="invitation-link" />
      </UntilPageHides>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  );
}
