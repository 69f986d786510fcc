"use client";

import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiResource, Scope } from "@/trpc/types.ts";
import { CLIENT_TYPES, GRANTS, offeredScopes } from "../../client-types.ts";
import { CheckboxList } from "../checkbox-list.tsx";
import { type EditProps, errorAt, hintOf, type Section, setValue } from "../field.ts";
import { ValueList } from "../value-list.tsx";

export const ACCESS: Section = {
  id: "access",
  title: "Access",
  text: "How the client gets tokens, for which APIs, and what the tokens allow.",
  fields: [
    {
      path: "grantTypes",
      label: "Grant types",
      hint: "How the client can get tokens.",
      kind: "own",
      Edit: Grants,
      show: ({ settings }) => settings.grantTypes.map((grant) => GRANTS[grant].label).join(", "),
    },
    {
      path: "options.resources",
      label: "APIs",
      hint: "The registered APIs that it can request tokens for, besides the built-in one. Default: none. Their scopes appear below.",
      kind: "own",
      Edit: Resources,
      show: ({ settings }) => <ValueList values={settings.options.resources ?? []} />,
    },
    {
      path: "scopes",
      label: "Scopes",
      hint: "The scopes the client can request, as the consent page describes them to users.",
      kind: "own",
      Edit: Scopes,
      show: ({ settings }) => <ValueList values={settings.scopes} />,
    },
    {
      path: "firstParty",
      label: "First-party",
      hint: "Your own application: users skip the consent page. Default: users are asked.",
      fits: ({ type }) => type !== "service",
      adminOnly: true,
      kind: "switch",
    },
    {
      path: "resourceServer",
      label: "Resource server",
      hint: "Can introspect tokens issued for an API. Turn it on for the backend of an API, not for what calls it.",
      fits: ({ type }) => type === "service",
      adminOnly: true,
      kind: "switch",
    },
    {
      path: "options.serves",
      label: "Introspects tokens of",
      hint: "The APIs whose tokens the resource server can introspect. Default: the built-in API alone.",
      fits: ({ settings }) => settings.resourceServer,
      kind: "own",
      Edit: Serves,
      show: ({ settings }) =>
        settings.options.serves ? <ValueList values={settings.options.serves} /> : "The built-in API",
    },
  ],
};

function Grants({ form, field, place }: EditProps) {
  const offered = [...new Set([...CLIENT_TYPES[place.type].grants, ...form.values.grantTypes])];
  return (
    <CheckboxList
      label={field.label}
      description={hintOf(field, place)}
      options={offered.map((grant) => ({ value: grant, label: GRANTS[grant].label, description: GRANTS[grant].hint }))}
      chosen={form.values.grantTypes}
      onChange={(values) => setValue(form, "grantTypes", values)}
      error={errorAt(form, "grantTypes")}
    />
  );
}

function useResources(): ApiResource[] {
  const { data = [] } = useQuery(useTRPC().resources.list.queryOptions());
  return data;
}

const named = ({ id, name }: ApiResource) => ({ value: id, label: `${name} (${id})` });
const unlisted = (ids: readonly string[], all: readonly ApiResource[]) =>
  ids.filter((id) => !all.some((one) => one.id === id)).map((id) => ({ value: id, label: id }));

function Resources({ form, field, place }: EditProps) {
  const all = useResources();
  const chosen = form.values.options.resources ?? [];
  // Null: the server's default, which it checks when this is saved.
  const offered = all.filter((one) => one.environments?.includes(place.environment) ?? true);
  const choose = (ids: string[]) => {
    const dropped = all
      .filter(({ id }) => chosen.includes(id) && !ids.includes(id))
      .flatMap(({ scopes }) => scopes.map(({ name }) => name));
    if (dropped.length > 0)
      setValue(
        form,
        "scopes",
        form.getValues().scopes.filter((name) => !dropped.includes(name)),
      );
    setValue(form, "options.resources", ids.length === 0 ? undefined : ids);
  };
  return (
    <MultiSelect
      label={field.label}
      description={hintOf(field, place)}
      placeholder={chosen.length === 0 ? (all.length === 0 ? "No API is registered" : "None") : ""}
      data={[...offered.map(named), ...unlisted(chosen, offered)]}
      value={chosen}
      onChange={choose}
      error={errorAt(form, "options.resources")}
      comboboxProps={{ keepMounted: false }}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Remove all APIs" }}
    />
  );
}

function Serves({ form, field, place }: EditProps) {
  const all = useResources();
  const chosen = form.values.options.serves ?? [];
  return (
    <MultiSelect
      label={field.label}
      description={hintOf(field, place)}
      placeholder={chosen.length === 0 ? "The built-in API" : ""}
      data={[...all.map(named), ...unlisted(chosen, all)]}
      value={chosen}
      onChange={(ids) => setValue(form, "options.serves", ids.length === 0 ? undefined : ids)}
      error={errorAt(form, "options.serves")}
      comboboxProps={{ keepMounted: false }}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Introspect tokens of the built-in API alone" }}
    />
  );
}

function Scopes({ form, field, place }: EditProps) {
  const trpc = useTRPC();
  const { data: own = [] } = useQuery(
    trpc.scopes.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const chosen = form.values.options.resources ?? [];
  const foreign = useResources()
    .filter(({ id }) => chosen.includes(id))
    .flatMap(({ scopes }) => scopes.map((scope): Scope => ({ ...scope, kind: "api" })));
  const all = [...own, ...foreign];
  return (
    <CheckboxList
      label={field.label}
      description={hintOf(field, place)}
      options={offeredScopes(all, place.type, form.values).map((name) => ({
        value: name,
        label: name,
        description: descriptionOf(all.find((scope) => scope.name === name)),
      }))}
      chosen={form.values.scopes}
      onChange={(values) => setValue(form, "scopes", values)}
      error={errorAt(form, "scopes")}
    />
  );
}

/** The server's description starts in lower case: it ends a sentence on the consent page. */
function descriptionOf(scope: Scope | undefined): string | undefined {
  return scope && scope.description.charAt(0).toUpperCase() + scope.description.slice(1);
}
