"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useFreshUntil } from "./me.tsx";
import { signInUrl } from "./sign-in-url.ts";

/** Shorter than the server's 10 minutes, so that enough time is left to fill in a form. */
const MAX_AGE_SECONDS = 300;
const TIME_FOR_A_FORM_MS = 120_000;

/** Asks the user to sign in again, then returns to this page. RFC 9470, CO-88. */
export function confirmIdentity(): void {
  const modalId = modals.open({
    title: "Confirm it’s you",
    children: (
      <Stack>
        <Text size="sm">You signed in a while ago. Sign in again to make this change. You’ll return to this page.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.close(modalId)}>
            Cancel
          </Button>
          <Button component="a" href={signInUrl({ maxAgeSeconds: MAX_AGE_SECONDS })} data-autofocus>
            Sign in again
          </Button>
        </Group>
      </Stack>
    ),
  });
}

/**
 * Returns a function that runs an action which needs a fresh sign-in, or asks for the sign-in instead. Use it before opening a form:
 * signing in leaves the page, and with it what was typed.
 */
export function useConfirmed(): (action: () => void) => void {
  const freshUntil = useFreshUntil();
  return (action) => (Date.now() + TIME_FOR_A_FORM_MS < freshUntil ? action() : confirmIdentity());
}
