"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type SignInNeed, signInDismissed, useSignInState } from "./sign-in-again.ts";

/** The page that tells the other tabs who has signed in. */
const SIGNED_IN_PATH = "/signed-in";

const WORDS = {
  session: {
    title: "Your session has ended",
    text: "Sign in again to continue. Sign-in opens in a new tab, and everything you typed stays here.",
    action: "Sign in",
    href: `/auth/sign-in?return_to=${SIGNED_IN_PATH}`,
  },
  fresh: {
    title: "Confirm it’s you",
    text: "You signed in a while ago. You confirm in a new tab, and everything you typed stays here.",
    action: "Confirm",
    href: "/confirm",
  },
} as const satisfies Record<SignInNeed, unknown>;

/** Keeps Escape from closing a form's dialog below this one. */
const ON_TOP = { "data-mantine-stop-propagation": "true" };

/** Offers to sign in in a new tab. The requests that need it wait until that tab reports back. CO-87, RFC 9470. */
export function SignInDialog() {
  const { asking } = useSignInState();
  const { title, text, action, href } = WORDS[asking ?? "session"];
  return (
    <Modal.Root
      opened={asking !== null}
      onClose={signInDismissed}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={300}
      centered
    >
      <Modal.Overlay />
      <Modal.Content {...ON_TOP}>
        <Modal.Body pt="md">
          <Stack onKeyDown={({ key }) => key === "Escape" && signInDismissed()}>
            <Modal.Title>{title}</Modal.Title>
            <Text size="sm">{text}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={signInDismissed} {...ON_TOP}>
                Not now
              </Button>
              <Button component="a" href={href} target="_blank" rel="noreferrer" data-autofocus {...ON_TOP}>
                {action}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
