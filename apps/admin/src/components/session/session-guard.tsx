"use client";

import { Alert, Button, Group } from "@mantine/core";
import { IconLogin2, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useSyncExternalStore } from "react";
import { signInAgain, useSignInState } from "./sign-in-again.ts";
import { SignInDialog } from "./sign-in-dialog.tsx";

/**
 * Says at the top of the page that the session has ended or the connection is lost, and keeps what was typed. CO-87.
 */
export function SessionGuard() {
  const { dismissed } = useSignInState();
  const online = useOnline();
  useEffect(() => (online ? undefined : keepLinksFromLeaving()), [online]);
  return (
    <>
      <div role="status">
        {!online && (
          <Alert
            color="yellow"
            variant="light"
            mb="md"
            icon={<IconPlugConnectedX aria-hidden="true" />}
            title="You’re offline"
          >
            What you typed stays here. Other pages open when you’re connected again.
          </Alert>
        )}
        {dismissed && (
          <Alert
            color="red"
            variant="light"
            mb="md"
            icon={<IconLogin2 aria-hidden="true" />}
            title="Your session has ended"
          >
            <Group justify="space-between">
              What you typed stays here. Sign in to save it.
              <Button size="xs" onClick={() => void signInAgain("session")}>
                Sign in
              </Button>
            </Group>
          </Alert>
        )}
      </div>
      <SignInDialog />
    </>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      for (const name of ["online", "offline"]) window.addEventListener(name, listener);
      return () => {
        for (const name of ["online", "offline"]) window.removeEventListener(name, listener);
      };
    },
    () => window.navigator.onLine,
    () => true,
  );
}

/** A link without a connection would replace the page, and with it what was typed, by the browser's error page. */
function keepLinksFromLeaving(): () => void {
  const stop = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link === null || link.getAttribute("target") === "_blank") return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", stop, { capture: true });
  return () => document.removeEventListener("click", stop, { capture: true });
}
