import type { AppRouter } from "@gatehouse/console/types";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { type SignInNeed, signInAgain } from "@/components/session/sign-in-again.ts";
import { isOtherUser, needsFreshSignIn, needsSignIn } from "./errors.ts";

/**
 * Holds a request that was refused because the session has ended, or because the sign-in is too long ago, until the
 * user has signed in again. Then sends it once more. Calls `reload` when another person has signed in; nothing is sent
 * then. CO-87.
 */
export function sessionLink(reload: () => void): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let unsubscribe = () => {};
        const send = (attempt: 1 | 2) => {
          const subscription = next(op).subscribe({
            next: observer.next,
            complete: observer.complete,
            error(error) {
              if (isOtherUser(error)) return reload();
              const need = attempt === 1 ? needOf(error) : undefined;
              if (need === undefined) return observer.error(error);
              void signInAgain(need, { quietly: op.type === "query" }).then((signedIn) => {
                if (signedIn && op.signal?.aborted !== true) send(2);
                else observer.error(error);
              });
            },
          });
          unsubscribe = () => subscription.unsubscribe();
        };
        send(1);
        return () => unsubscribe();
      });
}

function needOf(error: unknown): SignInNeed | undefined {
  if (needsFreshSignIn(error)) return "fresh";
  return needsSignIn(error) ? "session" : undefined;
}
