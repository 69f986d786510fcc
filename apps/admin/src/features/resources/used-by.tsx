import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import type { ResourceUsage } from "@/trpc/types.ts";

/** "Used by 3 clients". Counts end at 1,000. */
export function UsedBy({ usage: { clients, more } }: { usage: ResourceUsage }) {
  return (
    <span>
      Used by {more ? `${clients.toLocaleString("en")}+ clients` : clients === 1 ? "1 client" : `${clients} clients`}
    </span>
  );
}

/** Which clients lose access, with links to the first of them. CO-37. */
export function LosesAccess({ usage }: { usage: ResourceUsage }) {
  if (usage.clients === 0) return <Text size="sm">No client uses this API.</Text>;
  return (
    <div data-testid="impact">
      <Text size="sm">
        <UsedBy usage={usage} />. All of them lose access:
      </Text>
      <ul style={{ margin: "4px 0 0", paddingInlineStart: 20, fontSize: 13 }}>
        {usage.first.map(({ clientId, name, environment, applicationId, applicationName }) => (
          <li key={clientId}>
            <Anchor
              component={Link}
              href={`/applications/${applicationId}?${new URLSearchParams({ client: name, environment })}`}
              size="sm"
            >
              <bdi>{applicationName}</bdi>
            </Anchor>{" "}
            · <bdi>{name}</bdi> · {ENVIRONMENTS[environment].label}
          </li>
        ))}
        {usage.clients > usage.first.length && (
          <li>{(usage.clients - usage.first.length).toLocaleString("en")} more</li>
        )}
      </ul>
    </div>
  );
}
