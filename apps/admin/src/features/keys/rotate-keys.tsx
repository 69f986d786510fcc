"use client";

import { ActionIcon, Alert, Button, Group, Menu, Modal, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useOpenedByLink } from "@/components/use-opened-by-link.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { KeyView } from "@/trpc/types.ts";

type Algorithm = KeyView["algorithm"];

const NEXT_IS_READY = "The next key is published already. It starts signing by itself.";
type Mode = "ahead" | "now" | "distrust";

const MODES: Record<Mode, { title: (algorithm: Algorithm) => string; action: string; done: string; text: ReactNode }> =
  {
    ahead: {
      title: (algorithm) => `Rotate the ${algorithm} key?`,
      action: "Rotate",
      done: "The next key is published. It signs in a day.",
      text: "A new key is published now and signs from tomorrow, when every cached copy of the key set has it. Nothing stops being valid: the current key leaves the key set 30 days after its last signature.",
    },
    now: {
      title: (algorithm) => `Sign with a new ${algorithm} key now?`,
      action: "Rotate now",
      done: "The new key signs now.",
      text: "Clients and APIs that cached the key set reject new tokens until they load it again, for some of them up to a day. What the old key signed stays valid for 30 days.",
    },
    distrust: {
      title: (algorithm) => `Distrust every ${algorithm} key so far?`,
      action: "Distrust",
      done: "The old keys are withdrawn, and a new one signs.",
      text: "Use this if a private key may have leaked. Everything signed with these keys stops being valid: here within a minute, and at APIs that cached the key set when they load it again. Users sign in again where an application relies on such a token. Opaque tokens stay valid.",
    },
  };

/** Replaces the keys of one algorithm, in one of three ways. CO-60. */
export function RotateKeys({ algorithm, keys }: { algorithm: Algorithm; keys: readonly KeyView[] }) {
  const { can } = useMe();
  const confirmed = useConfirmed();
  const [mode, setMode] = useState<Mode>();
  const ask = (chosen: Mode) => confirmed(() => setMode(chosen));
  const nextIsReady = keys.some(({ state }) => state === "next") ? NEXT_IS_READY : undefined;
  useOpenedByLink(`rotate-${algorithm}`, () => {
    if (!can.manageProduction) return;
    if (nextIsReady === undefined) ask("ahead");
    else toastChanged(`${algorithm}: ${nextIsReady}`);
  });
  if (!can.manageProduction) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Permitted reason={nextIsReady}>
        <Button size="xs" variant="default" onClick={() => ask("ahead")}>
          Rotate
        </Button>
      </Permitted>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={`More actions for ${algorithm}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask("now")}>Rotate now</Menu.Item>
          <Menu.Item color="red" onClick={() => ask("distrust")}>
            Distrust
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={mode !== undefined}
        onClose={() => setMode(undefined)}
        title={mode && MODES[mode].title(algorithm)}
      >
        {mode && <Confirm mode={mode} algorithm={algorithm} close={() => setMode(undefined)} />}
      </Modal>
    </Group>
  );
}

function Confirm({ mode, algorithm, close }: { mode: Mode; algorithm: Algorithm; close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { text, action, done } = MODES[mode];
  const rotate = useMutation(
    trpc.keys.rotate.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess(list) {
        queries.setQueryData(trpc.keys.list.queryKey(), list);
        toastChanged(`${algorithm}: ${done}`);
        close();
      },
    }),
  );
  const irreversible = mode === "distrust";
  return (
    <TypeToConfirm
      expected={irreversible ? algorithm : undefined}
      action={irreversible ? `Distrust ${algorithm} keys` : action}
      color={irreversible ? "red" : undefined}
      onConfirm={() => rotate.mutate({ algorithm, mode })}
      onCancel={close}
      pending={rotate.isPending}
      error={rotate.error}
    >
      {irreversible ? (
        <Alert color="red" variant="light">
          {text}
        </Alert>
      ) : (
        <Text size="sm">{text}</Text>
      )}
    </TypeToConfirm>
  );
}
