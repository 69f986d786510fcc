import { QUICK_STARTS, type QuickStartName } from "@gatehouse/ui/quick-starts";
import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { FormError } from "@/components/form-error.tsx";
import { CLIENT_TYPES, defaultSettings } from "@/features/clients/client-types.ts";
import { showSecret } from "@/features/clients/secret-dialog.tsx";
import { UriWarning } from "@/features/clients/uri-advice.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import { firstRedirectUri, type KindName, kindOf } from "./kinds.ts";
import { useUriVerdict } from "./use-uri-verdict.ts";

/** What the form holds across the screens; undefined is what was never touched. */
export type DetailsValues = {
  name: string;
  description: string;
  framework: QuickStartName | undefined;
  redirectUri: string | undefined;
  mcpServer: string;
};
type Form = UseFormReturnType<DetailsValues>;

const MCP_SERVER = "http://localhost:4100/mcp";

type DetailsProps = {
  kind: KindName;
  form: Form;
  created: (clientId: string, framework: QuickStartName) => void;
  back: () => void;
};

/** The second screen: everything that a development client needs, prefilled. */
export function Details({ kind, form, created, back }: DetailsProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { type, frameworks, scopes } = kindOf(kind);
  const { name, description } = form.values;
  const framework = frameworks.find((one) => one === form.values.framework) ?? frameworks[0] ?? "curl-code";
  const redirects = CLIENT_TYPES[type].redirects;
  const redirectUri = form.values.redirectUri ?? firstRedirectUri(kind, framework);
  const mcpServer = form.values.mcpServer || MCP_SERVER;
  const verdict = useUriVerdict(redirects ? redirectUri : "", { type, environment: "development" });
  const start = useMutation(
    trpc.applications.start.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ client, secret }) {
        if (secret !== null) showSecret(secret, client, framework);
        created(client.clientId, framework);
        form.reset();
        await queries.invalidateQueries(trpc.applications.pathFilter());
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const submit = () => {
    const defaults = defaultSettings(type);
    const settings = { redirectUris: redirects ? [redirectUri.trim()] : [], grantTypes: defaults.grantTypes };
    const app = { name, description, type, ...settings, scopes: [...(scopes ?? defaults.scopes)] };
    start.mutate(kind === "mcp" ? { ...app, mcpServer: mcpServer.trim() } : app);
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="lg">
        <NameField form={form} />
        {frameworks.length > 1 && (
          <NativeSelect
            label="Framework"
            description="Decides the redirect URI below and the quick start."
            value={framework}
            onChange={({ currentTarget }) =>
              form.setFieldValue(
                "framework",
                frameworks.find((one) => one === currentTarget.value),
              )
            }
            data={frameworks.map((value) => ({ value, label: QUICK_STARTS[value].label }))}
          />
        )}
        {kind === "mcp" && (
          <TextInput
            label="MCP server URL"
            description="Where the server runs during development. Access tokens are issued for exactly this URL."
            required
            inputMode="url"
            spellCheck={false}
            maxLength={500}
            {...form.getInputProps("mcpServer")}
            value={mcpServer}
          />
        )}
        {redirects && (
          <TextInput
            label="Redirect URI"
            description={
              kind === "mcp"
                ? "Of a first MCP client to try it with: the MCP Inspector. Other clients register themselves."
                : "Where users return after they sign in, during development. Compared character by character."
            }
            required
            inputMode="url"
            spellCheck={false}
            maxLength={2048}
            value={redirectUri}
            onChange={({ currentTarget }) => {
              form.setFieldValue("redirectUri", currentTarget.value);
              form.clearFieldError("redirectUris.0");
            }}
            error={(verdict?.ok === false ? verdict.message : undefined) ?? form.errors["redirectUris.0"]}
          />
        )}
        {verdict?.ok === true && <UriWarning warning={verdict.warning} />}
        <FormError error={start.error} shownAt={["name", "redirectUris.0", "mcpServer"]} />
        <Text size="sm" c="dimmed">
          Creates a client for development. Staging and production get their own when you promote it.
        </Text>
        <Buttons label="Create" loading={start.isPending} back={back} />
      </Stack>
    </form>
  );
}

/** For an application whose clients come later, or from a file. */
export function NameOnly({ form, back }: { form: Form; back: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const create = useMutation(
    trpc.applications.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ id }) {
        await queries.invalidateQueries(trpc.applications.list.infiniteQueryFilter());
        router.replace(`/applications/${id}`);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const { name, description } = form.values;
  return (
    <form onSubmit={form.onSubmit(() => create.mutate({ name, description }))}>
      <Stack gap="lg">
        <NameField form={form} />
        <Textarea
          label="Description"
          description="Only your team sees this."
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps("description")}
        />
        <FormError error={create.error} shownAt={["name", "description"]} />
        <Buttons label="Create application" loading={create.isPending} back={back} />
      </Stack>
    </form>
  );
}

function NameField({ form }: { form: Form }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <TextInput
      ref={field}
      label="Name"
      description="Users see this name when they sign in and on the consent page."
      required
      maxLength={80}
      {...form.getInputProps("name")}
    />
  );
}

function Buttons({ label, loading, back }: { label: string; loading: boolean; back: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={back}>
        Back
      </Button>
      <Button type="submit" loading={loading}>
        {label}
      </Button>
    </Group>
  );
}
