import { useMutation } from "@tanstack/react-query";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User, UserSecurity } from "@/trpc/types.ts";
import { Act } from "./act.tsx";
import { useUserChanged } from "./use-user-changed.ts";

/** `security` is undefined until it is loaded. */
type Secured = { user: User; security: UserSecurity | undefined };

export function SendResetLink({ user: { id, email } }: { user: User }) {
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

export function RequirePassword({ user: { id, name }, security }: Secured) {
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

export function ResetSecondFactors({ user: { id, name, email }, security }: Secured) {
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
