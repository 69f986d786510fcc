import { Badge } from "@mantine/core";
import type { Environment } from "@/trpc/types.ts";

type EnvironmentStyle = { label: string; color: string; token: string };

/** In the order of promotion. */
export const ENVIRONMENTS = {
  development: { label: "Development", color: "blue", token: "var(--gh-development)" },
  staging: { label: "Staging", color: "yellow", token: "var(--gh-staging)" },
  production: { label: "Production", color: "green", token: "var(--gh-production)" },
} as const satisfies Record<Environment, EnvironmentStyle>;

export const environmentNames = Object.keys(ENVIRONMENTS) as Environment[];

/** A button's label: production is named where it is changed. CO-08. */
export const inPlace = (action: string, environment: Environment | undefined): string =>
  environment === "production" ? `${action} in production` : action;

/** A dot in the environment's color: filled when its client is enabled, hollow when not. */
export function EnvironmentDot({ environment, filled = true }: { environment: Environment; filled?: boolean }) {
  const color = ENVIRONMENTS[environment].token;
  return (
    <span
      aria-hidden="true"
      style={{
        display: "inline-block",
        width: 9,
        height: 9,
        borderRadius: "50%",
        border: `2px solid ${color}`,
        background: filled ? color : "none",
      }}
    />
  );
}

export function EnvironmentBadge({ client }: { client: { environment: Environment; enabled: boolean } }) {
  const { label, token } = ENVIRONMENTS[client.environment];
  return (
    <Badge
      variant="default"
      tt="none"
      fw={500}
      miw="max-content"
      style={{ color: token }}
      leftSection={<EnvironmentDot environment={client.environment} filled={client.enabled} />}
    >
      {client.enabled ? label : `${label} (disabled)`}
    </Badge>
  );
}
