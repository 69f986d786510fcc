"use client";

import { Alert, Button, Checkbox, Group, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ApiTokenScope, Environment } from "@/trpc/types.ts";

const DAY = 86_400;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;

type Props = { scopes: readonly ApiTokenScope[]; close: () => void };

/** The form for a token, then the token itself: it is in this dialog only, and gone when it closes. CO-70, CO-91. */
export function NewApiToken({ scopes, close }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const create = useMutation(
    trpc.apiTokens.create.mutationOptions({
      meta: { errorShownInForm: true },
      gcTime: 0,
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.apiTokens.list.queryKey() }),
    }),
  );
  if (create.data) return <Created token={create.data.token} close={close} />;
  return <Form scopes={scopes} create={create} close={close} />;
}

function Created({ token, close }: { token: string; close: () => void }) {
  return (
    <Stack>
      <Alert variant="light" color="yellow" icon={<IconAlertTriangle aria-hidden="true" />}>
        Copy this token now and store it in your secret manager. Gatehouse keeps only a hash, so you can’t view it
        again.
      </Alert>
      <UntilPageHides>
        <CopyValue value={token} what="API token" testId="api-token" />
      </UntilPageHides>
      <Text size="sm">
        Send it to <code>/trpc</code> as a bearer token. No other endpoint accepts it.
      </Text>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

type Create = {
  mutate: (draft: {
    name: string;
    scopes: ApiTokenScope["name"][];
    environments: Environment[];
    clientId: string | null;
    firstPartyOrigins: string[];
    expiresInSeconds: number;
  }) => void;
  isPending: boolean;
  error: unknown;
};

function Form({ scopes, create, close }: Props & { create: Create }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [environments, setEnvironments] = useState<string[]>([...environmentNames]);
  const [clientId, setClientId] = useState("");
  const [origins, setOrigins] = useState("");
  const [days, setDays] = useState<string | number>(DEFAULT_DAYS);
  const errors = fieldErrorsOf(create.error);
  const oneClient = clientId.trim() !== "";
  const needsClient = scopes.some((scope) => scope.oneClient && chosen.includes(scope.name));
  const appliesFiles = chosen.includes("config:apply");
  const submit = () =>
    create.mutate({
      name,
      scopes: scopes.map((scope) => scope.name).filter((scope) => chosen.includes(scope)),
      environments: oneClient
        ? [...environmentNames]
        : environmentNames.filter((environment) => environments.includes(environment)),
      clientId: oneClient ? clientId.trim() : null,
      firstPartyOrigins: appliesFiles ? origins.split(/\s+/).filter(Boolean) : [],
      expiresInSeconds: Number(days) * DAY,
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="What uses it. The audit log shows this name."
          placeholder="Nightly audit export"
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={errors["name"]}
          data-autofocus
        />
        <Checkbox.Group label="Scopes" required value={chosen} onChange={setChosen} error={errors["scopes"]}>
          <Stack gap="xs" mt={6}>
            {scopes.map((scope) => (
              <Checkbox
                key={scope.name}
                value={scope.name}
                label={<code>{scope.name}</code>}
                description={scope.description}
                disabled={oneClient && !scope.ofClient}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Checkbox.Group
          label="Environments"
          description={oneClient ? "The client’s own." : "With some of them, lists have to be filtered by environment."}
          value={oneClient ? [] : environments}
          onChange={setEnvironments}
          error={errors["environments"]}
        >
          <Group gap="lg" mt={6}>
            {environmentNames.map((environment) => (
              <Checkbox
                key={environment}
                value={environment}
                label={ENVIRONMENTS[environment].label}
                disabled={oneClient}
              />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          label="Only this client"
          description={
            needsClient
              ? "The client id. previews:write is always for one client."
              : "A client id, to limit the token to one client. Leave it empty for all."
          }
          required={needsClient}
          maxLength={255}
          value={clientId}
          onChange={({ currentTarget }) => setClientId(currentTarget.value)}
          error={errors["clientId"]}
          spellCheck={false}
          autoComplete="off"
        />
        {appliesFiles && (
          <Textarea
            label="Origins of your own products"
            description="It may register first-party clients whose addresses are all at these origins, one per line. Leave it empty for none."
            placeholder="https://shop.example.com"
            autosize
            minRows={2}
            value={origins}
            onChange={({ currentTarget }) => setOrigins(currentTarget.value)}
            error={errors["firstPartyOrigins"]}
            spellCheck={false}
            autoComplete="off"
          />
        )}
        <NumberInput
          label="Expires after"
          description="365 days at most. Make a new token before it expires."
          min={1}
          max={MAX_DAYS}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          suffix=" days"
          styles={{ wrapper: { maxWidth: 220 } }}
          value={days}
          onChange={setDays}
          error={errors["expiresInSeconds"]}
        />
        <FormError
          error={create.error}
          shownAt={["name", "scopes", "environments", "clientId", "firstPartyOrigins", "expiresInSeconds"]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
