import { isTRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { SIGNED_OUT } from "./messages.ts";

export type SessionLinkOptions = {
  /** Where the handlers are mounted, with the base path of the app. Default `/auth`. */
  path?: string | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
};

/**
 * Retries a call that was refused because nobody is signed in. Its access token may have expired where the server could
 * not renew it, or the user may have signed in in another tab: so it reads `/auth/session` once, for all calls that
 * wait, and repeats the call once if that says that somebody is signed in. Other errors pass. Put it before
 * `httpBatchLink`. PK-52.
 */
export function sessionLink<Router extends AnyTRPCRouter>(options: SessionLinkOptions = {}): TRPCLink<Router> {
  return () => {
    const isSignedIn = sharedRead(options);
    return ({ op, next }) =>
      observable((observer) => {
        let current: Unsubscribable;
        let isOver = false;
        const send = (isLast: boolean) => {
          current = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              if (isLast || !isSignedOut(error)) return observer.error(error);
              announceRefusal();
              void isSignedIn().then((signedIn) => {
                if (isOver) return;
                if (signedIn) send(true);
                else observer.error(error);
              });
            },
          });
        };
        send(false);
        return () => {
          isOver = true;
          current.unsubscribe();
        };
      });
  };
}

const isSignedOut = (error: unknown) => isTRPCClientError(error) && error.message === SIGNED_OUT;

/** For `/react`, whose hooks look again. PK-55. */
function announceRefusal(): void {
  const page: { dispatchEvent?: (event: Event) => unknown } = globalThis;
  page.dispatchEvent?.(new Event("gatehouse:refused"));
}

/** One request for all who ask while it is pending. It renews the session, since its response can set cookies. */
function sharedRead({ path = "/auth", fetch = globalThis.fetch }: SessionLinkOptions): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined;
  const read = async () => {
    // A server that renders the page has no cookies of the browser, and no address to ask.
    if (typeof document === "undefined") return false;
    try {
      const response = await fetch(`${path}/session`, { credentials: "same-origin", cache: "no-store" });
      const { status } = (await response.json()) as { status?: unknown };
      return status === "signed-in";
    } catch {
      return false; // offline: the first error says more
    }
  };
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
