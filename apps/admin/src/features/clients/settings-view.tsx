import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ClientView } from "@/trpc/types.ts";
import { CLIENT_TYPES, GRANTS } from "./client-types.ts";

/** A client's settings, for users who can't change them. */
export function SettingsView({ client }: { client: ClientView }) {
  const { redirects } = CLIENT_TYPES[client.type];
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="md">
        Settings
      </Title>
      <Stack gap="md" component="dl" m={0}>
        {redirects && <Setting label="Redirect URIs">{values(client.redirectUris)}</Setting>}
        <Setting label="Grant types">{client.grantTypes.map((grant) => GRANTS[grant].label).join(", ")}</Setting>
        <Setting label="Scopes">{values(client.scopes)}</Setting>
        {redirects && <Setting label="Post-logout redirect URIs">{values(client.postLogoutRedirectUris)}</Setting>}
        {client.type === "service" ? (
          <Setting label="Resource server">{client.resourceServer ? "Yes" : "No"}</Setting>
        ) : (
          <Setting label="First-party">{client.firstParty ? "Yes" : "No"}</Setting>
        )}
        {client.grantTypes.includes("refresh_token") && <Setting label="Refresh retry window">{client.refreshRetrySeconds} s</Setting>}
      </Stack>
    </Paper>
  );
}

function values(list: readonly string[]): ReactNode {
  if (list.length === 0) return "None";
  return (
    <Group gap={6}>
      {list.map((value) => (
        <code key={value} className="value">
          {value}
        </code>
      ))}
    </Group>
  );
}

function Setting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed" mb={4}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}
