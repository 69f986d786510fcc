"use client";

import { Anchor, Button, Group, Loader, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useEffectEvent, useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { FormError } from "@/components/form-error.tsx";
import { ROLES, roleOptions } from "@/components/role-badge.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { InvitationSent, Role } from "@/trpc/types.ts";

/** Invites somebody by email, or shows the link to pass on if no mail server is set. */
export function InviteUser({ opened, close, email = "" }: { opened: boolean; close: () => void; email?: string }) {
  const [made, setMade] = useState<InvitationSent>();
  const done = () => {
    setMade(undefined);
    close();
  };
  return (
    <Modal opened={useOpenedLate(opened)} onClose={done} title={made ? titleOf(made) : "Invite user"}>
      {made ? (
        <InvitationOutcome invitation={made} close={done} />
      ) : (
        <InviteForm email={email} onMade={setMade} close={done} />
      )}
    </Modal>
  );
}

/** The title of the dialog that says what became of an invitation. */
export const titleOf = ({ link }: InvitationSent): string =>
  link === null ? "Sending the invitation" : "Copy the invitation link";

function InviteForm({
  email,
  onMade,
  close,
}: {
  email: string;
  onMade: (made: InvitationSent) => void;
  close: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { email, role: "user" as Role } });
  const create = useMutation(
    trpc.invitations.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(made) {
        await queries.invalidateQueries(trpc.invitations.pathFilter());
        onMade(made);
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

/** The link to pass on where no mail is sent; otherwise what becomes of the mail. */
export function InvitationOutcome({ invitation, close }: { invitation: InvitationSent; close: () => void }) {
  const { email, link, mailId } = invitation;
  if (link !== null) return <InvitationLink email={email} link={link} close={close} />;
  return mailId !== null && <SentInvitation email={email} mailId={mailId} close={close} />;
}

function InvitationLink({ email, link, close }: { email: string; link: string; close: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        No mail server is set, so nothing was sent. Give this link to {email} through a channel you trust. It works
        once, and it isn’t shown again.
      </Text>
      <UntilPageHides>
        <CopyValue value={link} what="invitation link" cut testId="invitation-link" />
      </UntilPageHides>
      <Group justify="space-between">
        <Anchor component={Link} href="/settings/mail" size="sm">
          Set up a mail server
        </Anchor>
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  );
}

const POLL_MS = 500;

/** Follows the mail, and closes once the SMTP server has it: nothing is called sent before. */
function SentInvitation({ email, mailId, close }: { email: string; mailId: string; close: () => void }) {
  const trpc = useTRPC();
  const { data: mail } = useQuery({
    ...trpc.mails.get.queryOptions({ id: mailId }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === "queued" ? POLL_MS : false),
  });
  const sent = mail?.state === "sent";
  const done = useEffectEvent(() => {
    toastChanged(`Invitation sent to ${email}.`);
    close();
  });
  useEffect(() => {
    if (sent) done();
  }, [sent]);

  const failed = mail !== undefined && mail.state !== "sent" && (mail.state !== "queued" || mail.attempts > 0);
  return (
    <Stack>
      <div role="status">
        {failed ? (
          <Stack gap="xs">
            <Text size="sm">
              {mail.state === "queued"
                ? `The mail server hasn’t taken the invitation to ${email} yet. It’s tried again for two and a half hours.`
                : `The invitation to ${email} wasn’t sent.`}
            </Text>
            {mail.advice !== null && <Text size="sm">{mail.advice}</Text>}
            {mail.answer !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                The mail server’s answer: <bdi>{mail.answer}</bdi>
              </Text>
            )}
          </Stack>
        ) : (
          <Group gap="sm" wrap="nowrap">
            <Loader size={16} />
            <Text size="sm">Handing the invitation to {email} to the mail server…</Text>
          </Group>
        )}
      </div>
      <Group justify="space-between">
        <Anchor component={Link} href={`/mail/${mailId}`} size="sm">
          Open the mail
        </Anchor>
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
