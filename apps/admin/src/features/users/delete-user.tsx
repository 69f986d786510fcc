import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMe } from "@/components/me.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { Act } from "./act.tsx";
import { useUserChanged } from "./use-user-changed.ts";

/** Deletes the user after the grace period, or keeps one who is to be deleted. RG-10. */
export function DeleteUser({ user: { id, name, email, deleteAfter } }: { user: User }) {
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
