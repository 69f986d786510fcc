import type { ApiResource, Environment } from "@/trpc/types.ts";

/** What the form edits. */
export type ResourceValues = Pick<
  ApiResource,
  "id" | "name" | "tokenFormat" | "tokenAlgorithm" | "attachedBy" | "strangers"
> & {
  scopes: { name: string; description: string }[];
  /** Empty: the server's default. */
  environments: Environment[];
  /** At which the form was read; missing for a new one. CO-45. */
  version?: number;
};

export const NEW_RESOURCE: ResourceValues = {
  id: "",
  name: "",
  scopes: [{ name: "", description: "" }],
  tokenFormat: "opaque",
  tokenAlgorithm: "RS256",
  environments: [],
  attachedBy: "admins",
  strangers: "refused",
};

export function valuesOf({
  createdAt: _,
  enabled: __,
  managed: ___,
  environments,
  ...resource
}: ApiResource): ResourceValues {
  return { ...resource, environments: environments ?? [] };
}

/** The procedure's input. Rows without a name and a sentence are not sent. */
export function draftOf({ environments, scopes, ...values }: ResourceValues) {
  return {
    ...values,
    scopes: scopes.filter(({ name, description }) => name.trim() !== "" || description.trim() !== ""),
    environments: environments.length === 0 ? null : environments,
  };
}

/** The fields that two people can change at the same time, as the server has them. */
export function sharedFieldsOf(values: ResourceValues) {
  const { id: _, version: __, ...fields } = draftOf(values);
  return fields;
}

export const resourceHref = (id: string) => `/resources/${encodeURIComponent(id)}`;
