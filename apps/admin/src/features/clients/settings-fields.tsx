"use client";

import { Checkbox, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/me.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientSettings, ClientType, Environment, Scope } from "@/trpc/types.ts";
import { CLIENT_TYPES, GRANTS, offeredScopes } from "./client-types.ts";
import { UriRows } from "./uri-rows.tsx";

export type SettingsForm = UseFormReturnType<ClientSettings>;

/** The fields for a client's settings, shared by registration and editing. */
export function SettingsFields({ form, type, environment }: { form: SettingsForm; type: ClientType; environment: Environment }) {
  const { redirects } = CLIENT_TYPES[type];
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
          errorOf={(row) => form.errors[`redirectUris.${row}`]}
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
          label="Post-logout redirect URI"
          legend="Post-logout redirect URIs"
          description="Optional. Where the application can send the user after sign-out. Matched exactly."
          addLabel="Add post-logout redirect URI"
          placeholder="https://shop.example.com/"
          values={form.values.postLogoutRedirectUris}
          onChange={(values) => form.setFieldValue("postLogoutRedirectUris", values)}
          errorOf={(row) => form.errors[`postLogoutRedirectUris.${row}`]}
        />
      )}
      <Advanced form={form} type={type} />
    </Stack>
  );
}

function redirectHint(environment: Environment, type: ClientType): string {
  const exact = "Matched exactly: no wildcards, and a trailing slash matters.";
  if (type === "native") return `${exact} With http://127.0.0.1, http://[::1] or http://localhost, any port matches.`;
  return environment === "production" ? `${exact} Production requires https and does not allow loopback addresses.` : exact;
}

function Grants({ form, type }: { form: SettingsForm; type: ClientType }) {
  const offered = [...new Set([...CLIENT_TYPES[type].grants, ...form.values.grantTypes])];
  return (
    <Checkbox.Group label="Grant types" description="How the client can get tokens." {...form.getInputProps("grantTypes")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="sm">
        {offered.map((grant) => (
          <Checkbox key={grant} value={grant} label={GRANTS[grant].label} description={GRANTS[grant].hint} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function Scopes({ form, type }: { form: SettingsForm; type: ClientType }) {
  const trpc = useTRPC();
  const { data: all = [] } = useQuery(trpc.scopes.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  return (
    <Checkbox.Group
      label="Scopes"
      description="The scopes the client can request, as the consent page describes them to users."
      {...form.getInputProps("scopes")}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="sm">
        {offeredScopes(all, type, form.values).map((name) => (
          <Checkbox key={name} value={name} label={name} description={descriptionOf(all.find((scope) => scope.name === name))} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

/** The server's description starts in lower case: it ends a sentence on the consent page. */
function descriptionOf(scope: Scope | undefined): string | undefined {
  return scope && scope.description.charAt(0).toUpperCase() + scope.description.slice(1);
}

function Advanced({ form, type }: { form: SettingsForm; type: ClientType }) {
  const { user } = useMe();
  const adminOnly = user.role === "admin" ? "" : " Only admins can change this.";
  return (
    <Stack gap="md">
      <Text fw={500} size="sm">
        Advanced
      </Text>
      {type !== "service" && (
        <Checkbox
          label="First-party"
          description={`Your own application: users skip the consent page.${adminOnly}`}
          disabled={user.role !== "admin"}
          {...form.getInputProps("firstParty", { type: "checkbox" })}
        />
      )}
      {type === "service" && (
        <Checkbox
          label="Resource server"
          description={`Can introspect tokens issued for the API.${adminOnly}`}
          disabled={user.role !== "admin"}
          {...form.getInputProps("resourceServer", { type: "checkbox" })}
        />
      )}
      {form.values.grantTypes.includes("refresh_token") && (
        <NumberInput
          label="Refresh retry window"
          description="How long a used refresh token returns the same response again, so that a lost response doesn’t sign the user out. 0 turns this off."
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
