import { Text } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import type { Refusal } from "@/trpc/types.ts";

/** The client of a refusal; an id that is no client's is what the request claimed. */
export function ClientName({ client }: { client: Refusal["client"] }) {
  if (client === null) return <span>No known client</span>;
  if (client.applicationName === null || client.environment === null) {
    return (
      <span>
        <bdi>{visibleText(client.clientId)}</bdi>{" "}
        <Text span size="xs" c="dimmed">
          no such client
        </Text>
      </span>
    );
  }
  return (
    <span>
      <Text span size="sm" display="block">
        <bdi>{client.applicationName}</bdi>
      </Text>
      <Text span size="xs" c="dimmed">
        <bdi>{client.name}</bdi> · {ENVIRONMENTS[client.environment].label}
      </Text>
    </span>
  );
}
