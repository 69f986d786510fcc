"use client";

import { Button, Paper, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ActionRow } from "@/components/action-row.tsx";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { DangerZone } from "@/components/danger-zone.tsx";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User, UserSecurity } from "@/trpc/types.ts";
import { ReasonModal } from "./reason-modal.tsx";
import { useUserChanged } from "./use-user-changed.ts";

type Secured = { user: User; security: UserSecurity | undefined };

/** What an admin can do to a user's account besides the profile. */
export function UserAccess({ user }: { user: User }) {
  const { can } = useMe();
  const trpc = useTRPC();
  const security = useQuery(trpc.users.security.queryOptions({ id: user.id }));
  if (!can.manageUsers) return null;
  return (
    <>
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        <Title order={2} size="h4" mb="md">
          Manage account
        </Title>
        <Stack gap="lg">
          <SendResetLink user={user} />
          <RequirePassword user={user} security={security.data} />
        </Stack>
      </Paper>
      <DangerZone>
        <ResetSecondFactors user={user} security={security.data} />
        <RevokeTokens user={user} />
        <DisableUser user={user} />
        <DeleteUser user={user} />
      </DangerZone>
    </>
  );
}

type ActProps = {
  title: string;
  hint: string;
  button: string;
  question: string;
  consequence: string;
  needsReason?: boolean;
  /** What to type: for what can't be undone. CO-43. */
  expected?: string;
  /** Takes nothing away from the user. */
  harmless?: boolean;
  /** The user cannot continue. */
  severe?: boolean;
  disabledBecause?: string | undefined;
  pending: boolean;
  act: (reason: string | undefined) => void;
};

/** One act: what it does, its button, and the dialog that asks for the reason. */
function Act({
  title,
  hint,
  button,
  question,
  consequence,
  needsReason = false,
  expected,
  harmless = false,
  severe = false,
  disabledBecause,
  pending,
  act,
}: ActProps) {
  const [asking, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  return (
    <ActionRow title={title} hint={hint}>
      <Permitted reason={disabledBecause}>
        <Button
          variant={severe ? "light" : "default"}
          {...(severe && { color: "red" })}
          loading={pending}
          onClick={() => confirmed(dialog.open)}
        >
          {button}
        </Button>
      </Permitted>
      <ReasonModal
        opened={asking}
        close={dialog.close}
        title={question}
        text={consequence}
        action={button}
        required={needsReason}
        expected={expected}
        harmless={harmless}
        onConfirm={act}
      />
    </ActionRow>
  );
}

function SendResetLink({ user: { id, email } }: { user: User }) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const mutation = useMutation(
    trpc.users.sendResetLink.mutationOptions({
      async onSuccess() {
        toastChanged(`A mail with the reset link to ${email} was written.`, { href: "/mail", label: "See Mail" });
        await changed();
      },
    }),
  );
  return (
    <Act
      title="Send a reset link"
      hint="Mails the user a link to choose a new password. Nothing changes until they use it."
      button="Send reset link"
      question={`Send a reset link to ${email}?`}
      consequence="The link is valid for 30 minutes. The user’s sessions end when they choose a new password."
      harmless
      pending={mutation.isPending}
      act={(reason) => mutation.mutate({ id, reason })}
    />
  );
}

function RequirePassword({ user: { id, name }, security }: Secured) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const mutation = useMutation(
    trpc.users.requirePassword.mutationOptions({
      async onSuccess() {
        toastChanged(`${name} will be asked for a new password.`);
        await changed();
      },
    }),
  );
  return (
    <Act
      title="Require a new password"
      hint="The user chooses a new password the next time they sign in with the old one."
      button="Require new password"
      question={`Require a new password of ${name}?`}
      consequence="They stay signed in, and choose a new password the next time they sign in."
      disabledBecause={whyNoNewPassword(security)}
      pending={mutation.isPending}
      act={(reason) => mutation.mutate({ id, reason })}
    />
  );
}

function whyNoNewPassword(security: UserSecurity | undefined): string | undefined {
  if (security?.hasPassword === false) return "This user has no password.";
  return security?.mustChangePassword ? "A new password is already required." : undefined;
}

const hasFactors = ({ totp, recoveryCodes, passkeys }: UserSecurity) =>
  totp !== null || recoveryCodes > 0 || passkeys.length > 0;

function ResetSecondFactors({ user: { id, name, email }, security }: Secured) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const mutation = useMutation(
    trpc.users.resetSecondFactors.mutationOptions({
      async onSuccess() {
        toastChanged("Second factors removed.");
        await changed();
      },
    }),
  );
  return (
    <Act
      title="Reset second factors"
      hint="For a user who lost their phone: removes the authenticator app, recovery codes and passkeys. Without a password, passkeys that they sign in with stay."
      button="Reset second factors"
      question={`Reset the second factors of ${name}?`}
      consequence="Make sure that you talk to the right person. They’re signed out everywhere, told by email, and set up new factors after they sign in."
      needsReason
      expected={email}
      severe
      disabledBecause={security && !hasFactors(security) ? "This user has no second factor." : undefined}
      pending={mutation.isPending}
      act={(reason = "") => mutation.mutate({ id, reason })}
    />
  );
}

function RevokeTokens({ user: { id, name } }: { user: User }) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const mutation = useMutation(
    trpc.users.revokeTokens.mutationOptions({
      async onSuccess() {
        toastChanged("All tokens revoked.");
        await changed();
      },
    }),
  );
  return (
    <Act
      title="Revoke all tokens"
      hint="Disconnects every application immediately. Sessions stay active."
      button="Revoke tokens"
      question={`Revoke all tokens of ${name}?`}
      consequence="Every application loses access to this user’s account immediately, including the console. Applications can ask the user for access again."
      pending={mutation.isPending}
      act={(reason) => mutation.mutate({ id, reason })}
    />
  );
}

/** Deletes the user after the grace period, or keeps one who is to be deleted. RG-10. */
function DeleteUser({ user: { id, name, email, deleteAfter } }: { user: User }) {
  const { user: self } = useMe();
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useUserChanged();
  const deletion = useMutation(
    trpc.users.delete.mutationOptions({
      async onSuccess({ deleteAfter }) {
        toastChanged(deleteAfter === null ? `${name} was deleted.` : `${name} will be deleted.`);
        if (deleteAfter === null) router.push("/users");
        await changed();
      },
    }),
  );
  const rescue = useMutation(
    trpc.users.restore.mutationOptions({
      async onSuccess() {
        toastChanged(`${name} is kept.`);
        await changed();
      },
    }),
  );
  if (deleteAfter !== null)
    return (
      <Act
        title="Keep this user"
        hint="Takes the deletion back. Sessions, tokens and permissions that it ended stay ended."
        button="Keep user"
        question={`Keep ${name}?`}
        consequence="The account is no longer deleted, and the user is told by email. They sign in again to use it."
        harmless
        pending={rescue.isPending}
        act={(reason) => rescue.mutate({ id, reason })}
      />
    );
  return (
    <Act
      title="Delete this user"
      hint="Signs them out everywhere and revokes all access at once. The account and everything in it is deleted after the grace period, in which signing in restores it; one whose email was never verified is deleted at once."
      button="Delete"
      question={`Delete ${name}?`}
      consequence="They’re told by email and can restore the account by signing in until then. To prevent that, disable the user as well. Rows of the audit log stay."
      expected={email}
      severe
      disabledBecause={id === self.id ? "You can’t delete yourself here. Use your account page." : undefined}
      pending={deletion.isPending}
      act={(reason) => deletion.mutate({ id, reason })}
    />
  );
}

/** Disables or enables the user. Admins cannot disable themselves. */
function DisableUser({ user: { id, name, disabledAt } }: { user: User }) {
  const { user: self } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const mutation = useMutation(trpc.users.setDisabled.mutationOptions({ onSuccess: changed }));
  const enabled = disabledAt === null;
  return (
    <Act
      title={enabled ? "Disable this user" : "Enable this user"}
      hint={
        enabled
          ? "Ends their sessions and tokens immediately. You can enable them again at any time."
          : "They can sign in again. Earlier sessions and tokens stay revoked."
      }
      button={enabled ? "Disable" : "Enable"}
      question={enabled ? `Disable ${name}?` : `Enable ${name}?`}
      consequence={
        enabled
          ? "They’re signed out everywhere immediately, and every application loses access to their account."
          : "They can sign in again with the password and passkeys they had."
      }
      severe={enabled}
      harmless={!enabled}
      disabledBecause={id === self.id ? "You can’t disable yourself." : undefined}
      pending={mutation.isPending}
      act={(reason) => mutation.mutate({ id, disabled: enabled, reason })}
    />
  );
}
