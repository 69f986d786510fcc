"use client";

import {
  assistantText,
  environmentFile,
  QUICK_STARTS,
  type QuickStartName,
  type QuickStartValues,
  quickStartsFor,
  quickStartValues,
  redirectUriFor,
  renderQuickStart,
} from "@gatehouse/ui/quick-starts";
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { CopyText } from "@/components/code/code-panel.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { WaitingForFirstToken } from "../waiting-for-first-token.tsx";
import { Snippet } from "./snippet.tsx";

/** A program that signs in with this client, in the framework that the URL names. CO-21. */
export function QuickStart({ client, issuer }: { client: ClientView; issuer: string }) {
  const names = quickStartsFor(client);
  const given = useSearchParams().get("framework");
  const server = { issuer, resource: undefined };
  const usable = names.find((one) => quickStartValues(one, client, server) !== undefined);
  const name = names.find((one) => one === given) ?? usable ?? names[0];
  const resource = useResource(client, name === "mcp-server");
  if (name === undefined) {
    return (
      <Text size="sm" c="dimmed">
        There is no quick start for this client’s settings. Any OAuth library that supports them works with the issuer
        and the client ID.
      </Text>
    );
  }
  const values = quickStartValues(name, client, { issuer, resource });
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Frameworks names={names} selected={name} />
        {values && <CopyText text={assistantText(name, values)} label="Copy for an assistant" />}
      </Group>
      {values ? <Steps name={name} values={values} /> : <NeedsUri name={name} client={client} />}
      <WaitingForFirstToken clientId={client.clientId} />
    </Stack>
  );
}

function NeedsUri({ name, client }: { name: QuickStartName; client: ClientView }) {
  const { label, needs, redirectUri } = QUICK_STARTS[name];
  const received = redirectUriFor(name, client.redirectUris);
  const [what, example] = received
    ? [
        "post-logout redirect URI on the same origin, where users return after they sign out",
        new URL("/", received).href,
      ]
    : [`redirect URI ${needs}`, redirectUri];
  return (
    <Text size="sm">
      The quick start for {label} needs a {what}, and this client has none. Add one under Settings, such as{" "}
      <code>{example}</code>.
    </Text>
  );
}

function Frameworks({ names, selected }: { names: readonly QuickStartName[]; selected: QuickStartName }) {
  if (names.length < 2) return <span />;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Framework"
      value={selected}
      onChange={(value) => changeQuery({ framework: value })}
      data={names.map((value) => ({ value, label: QUICK_STARTS[value].label }))}
    />
  );
}

function Steps({ name, values }: { name: QuickStartName; values: QuickStartValues }) {
  const { install, run, files } = renderQuickStart(name, values);
  const secrets = environmentFile(name, values);
  return (
    <>
      {install !== null && <Snippet title="Install" text={install} />}
      {secrets && <Snippet title={secrets.path} text={secrets.text} />}
      {files.map(({ path, text }) => (
        <Snippet key={path} title={path} text={text} />
      ))}
      <Snippet title="Run" text={run} />
    </>
  );
}

/** The API that the client may request tokens for, for an MCP server. */
function useResource({ options, scopes }: ClientView, wanted: boolean): { id: string; scope: string } | undefined {
  const trpc = useTRPC();
  const { data = [] } = useQuery({ ...trpc.resources.list.queryOptions(), enabled: wanted });
  const resource = data.find(({ id }) => options.resources?.includes(id));
  const scope = resource?.scopes.find(({ name }) => scopes.includes(name));
  return resource && scope && { id: resource.id, scope: scope.name };
}
