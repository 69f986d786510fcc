import { useMutation } from "@tanstack/react-query";
import { useMe } from "@/components/me.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { Act } from "./act.tsx";
import { useUserChanged } from "./use-user-changed.ts";

export function RevokeTokens({ user: { id, name } }: { user: User }) {
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

/** Disables or enables the user. Admins cannot disable themselves. */
export function DisableUser({ user: { id, name, disabledAt } }: { user: User }) {
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
