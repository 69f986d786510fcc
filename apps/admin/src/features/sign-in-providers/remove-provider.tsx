"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { DangerAction, DangerZone } from "@/components/danger-zone.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { lockReason } from "@/features/configuration/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { SignInProvider } from "@/trpc/types.ts";
import { userCount } from "./provider-values.ts";
import { useProvidersChanged } from "./use-providers-changed.ts";

export function RemoveProvider({ provider }: { provider: SignInProvider }) {
  const { id, name, enabled, users, managed } = provider;
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useProvidersChanged();
  const remove = useMutation(
    trpc.signInProviders.remove.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged(`${name} is removed.`);
        router.push("/sign-in-providers");
        await changed();
      },
    }),
  );
  const losers =
    users === 0
      ? "No user has connected it."
      : `${users === 1 ? "1 user" : `${userCount(provider)} users`} can no longer sign in with it.`;
  return (
    <DangerZone>
      <DangerAction
        title="Remove this provider"
        hint="Its secret and its users’ connections are deleted. Switch it off first."
        button="Remove provider"
        reason={lockReason(managed) ?? (enabled ? "Switch the provider off first." : undefined)}
        fresh
        question={`Remove ${name}?`}
        expected={name}
        action={`Remove ${name}`}
        mutation={remove}
        act={() => remove.mutate({ id })}
      >
        {`${losers} Users keep their accounts. You can’t undo this.`}
      </DangerAction>
    </DangerZone>
  );
}
