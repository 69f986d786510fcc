"use client";

import { Checkbox, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMe } from "@/components/me.tsx";
import type { ClientSettings, ClientType, Environment } from "@/trpc/types.ts";
import { commonScopes, firstPartyScopes, GRANTS, KINDS, machineScopes, SCOPES } from "./client-kinds.ts";
import { UriRows } from "./uri-rows.tsx";

export type SettingsForm = UseFormReturnType<ClientSettings>;

/** Everything about a client that may be changed later, for registering and for editing. */
export function SettingsFields({ form, type, environment }: { form: SettingsForm; type: ClientType; environment: Environment }) {
  const { redirects } = KINDS[type];
  return (
    <Stack gap="xl">
      {redirects && (
        <UriRows
          label="Redirect URI"
          legend="Redirect URIs"
          description={redirectHint(environment, type)}
          addLabel="Add redirect URI"
          placeholder={environment === "production" ? "https://shop.example.com/callback" : "http://localhost:4000/callback"}
          values={form.values.redirectUris}
          onChange={(values) => form.setFieldValue("redirectUris", values)}
          problems={(row) => form.errors[`redirectUris.${row}`]}
          check={{ type, environment }}
        />
      )}
      {form.errors["redirectUris"] && (
        <Text c="red" size="sm" role="alert">
          {form.errors["redirectUris"]}
        </Text>
      )}
      <Grants form={form} type={type} />
      <Scopes form={form} type={type} />
      {redirects && (
        <UriRows
          label="Address after sign-out"
          legend="Addresses after sign-out"
          description="Where the user may be sent after signing out. Optional, compared exactly."
          addLabel="Add address after sign-out"
          placeholder="https://shop.example.com/"
          values={form.values.postLogoutRedirectUris}
          onChange={(values) => form.setFieldValue("postLogoutRedirectUris", values)}
          problems={(row) => form.errors[`postLogoutRedirectUris.${row}`]}
        />
      )}
      <Advanced form={form} type={type} />
    </Stack>
  );
}

function redirectHint(environment: Environment, type: ClientType): string {
  const exact = "Compared character for character: no wildcards, and a slash at the end counts.";
  if (type === "native") return `${exact} On http://127.0.0.1, http://[::1] and http://localhost any port matches.`;
  return environment === "production" ? `${exact} Production takes https only, and no loopback.` : exact;
}

function Grants({ form, type }: { form: SettingsForm; type: ClientType }) {
  const offered = [...new Set([...KINDS[type].grants, ...form.values.grantTypes])];
  return (
    <Checkbox.Group label="Grants" description="How it may get tokens." {...form.getInputProps("grantTypes")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="sm">
        {offered.map((grant) => (
          <Checkbox key={grant} value={grant} label={GRANTS[grant].label} description={GRANTS[grant].hint} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function Scopes({ form, type }: { form: SettingsForm; type: ClientType }) {
  const usual = type === "service" ? machineScopes : commonScopes;
  const offered: string[] = [...new Set([...usual, ...(form.values.firstParty ? firstPartyScopes : []), ...form.values.scopes])];
  const words: Record<string, string> = SCOPES;
  return (
    <Checkbox.Group label="Scopes" description="The most it may ask for." {...form.getInputProps("scopes")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="sm">
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={scope} description={words[scope]} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function Advanced({ form, type }: { form: SettingsForm; type: ClientType }) {
  const { user } = useMe();
  const trusted = user.role !== "admin" ? " Only admins may change this." : "";
  return (
    <Stack gap="md">
      <Text fw={500} size="sm">
        More
      </Text>
      {type !== "service" && (
        <Checkbox
          label="First-party"
          description={`Made by you: users are not asked to allow it.${trusted}`}
          disabled={user.role !== "admin"}
          {...form.getInputProps("firstParty", { type: "checkbox" })}
        />
      )}
      {type === "service" && (
        <Checkbox
          label="Resource server"
          description={`May introspect tokens that are meant for the API.${trusted}`}
          disabled={user.role !== "admin"}
          {...form.getInputProps("resourceServer", { type: "checkbox" })}
        />
      )}
      {form.values.grantTypes.includes("refresh_token") && (
        <NumberInput
          label="Refresh retry window"
          description="For so many seconds a used refresh token still gets the same answer, so that a lost response does not sign the user out. 0 is strict."
          suffix=" s"
          min={0}
          max={3600}
          allowDecimal={false}
          w={{ base: "100%", sm: 320 }}
          {...form.getInputProps("refreshRetrySeconds")}
        />
      )}
    </Stack>
  );
}
