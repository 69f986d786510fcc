"use client";

import { Button, Group, PasswordInput, SegmentedControl, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import type { ClientView, TryKind } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "../client-types.ts";
import type { RunInput } from "./use-run.ts";

const KIND_LABELS: Record<TryKind, string> = {
  code: "Sign-in with PKCE",
  device: "Device code",
  service: "Client credentials",
};

/** What a client that is registered for these grants can be tried for. */
export function kindsOf({ grantTypes }: Pick<ClientView, "grantTypes">): TryKind[] {
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  return [
    ...(grantTypes.includes("authorization_code") ? (["code"] as const) : []),
    ...(grantTypes.includes(device) ? (["device"] as const) : []),
    ...(grantTypes.includes("client_credentials") ? (["service"] as const) : []),
  ];
}

type Props = {
  client: ClientView;
  kinds: readonly [TryKind, ...TryKind[]];
  starting: boolean;
  disabled: boolean;
  run: (input: RunInput) => void;
};

/** Chooses what to run. Everything but the button is optional. */
export function RunForm({ client, kinds, starting, disabled, run }: Props) {
  const [kind, setKind] = useState<TryKind>(kinds[0]);
  const [scope, setScope] = useState(kind === "service" ? "" : client.scopes.join(" "));
  const [secret, setSecret] = useState("");
  const [reveal, setReveal] = useState(false);
  const { reason } = useCanManage(client.environment);
  const production = client.environment === "production";
  const choose = (chosen: TryKind) => {
    setKind(chosen);
    setScope(chosen === "service" ? "" : client.scopes.join(" "));
  };
  const stopped = client.enabled ? reason : "This client is disabled. Enable it, then try it.";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run({ clientId: client.clientId, kind, scope, secret, reveal });
      }}
    >
      <Stack gap="md" maw={560}>
        {kinds.length > 1 && (
          <SegmentedControl
            aria-label="What to run"
            value={kind}
            onChange={(value) => choose(kinds.find((one) => one === value) ?? kind)}
            data={kinds.map((value) => ({ value, label: KIND_LABELS[value] }))}
          />
        )}
        <TextInput
          label="Scope"
          description={
            kind === "service" ? "Leave empty for everything that the client may request." : "What the run asks for."
          }
          value={scope}
          maxLength={2000}
          spellCheck={false}
          onChange={(event) => setScope(event.currentTarget.value)}
        />
        {CLIENT_TYPES[client.type].confidential && (
          <PasswordInput
            label="Client secret"
            description="Optional. Paste one to test it. It is sent with the run’s requests and not stored."
            value={secret}
            maxLength={512}
            autoComplete="off"
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
        )}
        {!production && (
          <Switch
            label="Show codes and tokens in full"
            checked={reveal}
            onChange={(event) => setReveal(event.currentTarget.checked)}
          />
        )}
        <Group gap="sm">
          <Permitted reason={stopped}>
            <Button type="submit" loading={starting} disabled={disabled}>
              {production ? "Run in production" : "Run"}
            </Button>
          </Permitted>
          <Text size="xs" c="dimmed">
            {KIND_LABELS[kind]}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
