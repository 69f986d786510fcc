"use client";

import { Text } from "@mantine/core";
import type { ClientType, Environment } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "../../client-types.ts";
import { UriRows } from "../../uri-rows.tsx";
import { type EditProps, hintOf, type Place, type Section, setValue } from "../field.ts";
import { ValueList } from "../value-list.tsx";

const redirects = ({ type }: Place) => CLIENT_TYPES[type].redirects;

export const REDIRECTS: Section = {
  id: "redirects",
  title: "Redirects",
  text: "Where the server sends users with the result of a sign-in or a sign-out. Nothing else is ever redirected to.",
  fields: [
    {
      path: "redirectUris",
      label: "Redirect URIs",
      hint: ({ environment, type }) => redirectHint(environment, type),
      fits: redirects,
      kind: "own",
      Edit: RedirectUris,
      show: ({ settings }) => <ValueList values={settings.redirectUris} />,
    },
    {
      path: "postLogoutRedirectUris",
      label: "Post-logout redirect URIs",
      hint: "Optional. Where the application can send the user after sign-out. Matched exactly.",
      fits: redirects,
      kind: "own",
      Edit: PostLogoutUris,
      show: ({ settings }) => <ValueList values={settings.postLogoutRedirectUris} />,
    },
  ],
};

function redirectHint(environment: Environment, type: ClientType): string {
  const exact = "Matched exactly: no wildcards, and a trailing slash matters.";
  if (type === "native") return `${exact} With http://127.0.0.1, http://[::1] or http://localhost, any port matches.`;
  return environment === "production"
    ? `${exact} Production requires https and does not allow loopback addresses.`
    : exact;
}

function RedirectUris({ form, field, place }: EditProps) {
  const { type, environment } = place;
  return (
    <div>
      <UriRows
        label="Redirect URI"
        legend="Redirect URIs"
        description={hintOf(field, place)}
        addLabel="Add redirect URI"
        placeholder={
          environment === "production" ? "https://shop.example.com/callback" : "http://localhost:4000/callback"
        }
        values={form.values.redirectUris}
        onChange={(values) => setValue(form, "redirectUris", values)}
        errorOf={(row) => form.errors[`redirectUris.${row}`]}
        check={{ type, environment }}
      />
      {form.errors["redirectUris"] && (
        <Text c="red" size="sm" role="alert" mt="xs">
          {form.errors["redirectUris"]}
        </Text>
      )}
    </div>
  );
}

function PostLogoutUris({ form, field, place }: EditProps) {
  return (
    <UriRows
      label="Post-logout redirect URI"
      legend="Post-logout redirect URIs"
      description={hintOf(field, place)}
      addLabel="Add post-logout redirect URI"
      placeholder="https://shop.example.com/"
      values={form.values.postLogoutRedirectUris}
      onChange={(values) => setValue(form, "postLogoutRedirectUris", values)}
      errorOf={(row) => form.errors[`postLogoutRedirectUris.${row}`]}
    />
  );
}
