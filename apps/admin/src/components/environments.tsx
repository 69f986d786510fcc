import { Badge } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Environment } from "@/trpc/types.ts";

type EnvironmentStyle = { label: string; token: string };

/** In the order of promotion. */
export const ENVIRONMENTS = {
  development: { label: "Development", token: "var(--gh-development)" },
  staging: { label: "Staging", token: "var(--gh-staging)" },
  production: { label: "Production", token: "var(--gh-production)" },
} as const satisfies Record<Environment, EnvironmentStyle>;

export const environmentNames = Object.keys(ENVIRONMENTS) as Environment[];

/** The one badge of production. CO-08. */
export function ProductionBadge({ disabled = false }: { disabled?: boolean }) {
  return (
    <span className="production-badge" data-disabled={disabled}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />
      {disabled ? `${ENVIRONMENTS.production.label} (disabled)` : ENVIRONMENTS.production.label}
    </span>
  );
}

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

/** Names the environment of an object. Production has an icon and the colour of the header's mark. CO-08. */
export function EnvironmentBadge({ client }: { client: { environment: Environment; enabled: boolean } }) {
  const { label, token } = ENVIRONMENTS[client.environment];
  if (client.environment === "production") return <ProductionBadge disabled={!client.enabled} />;
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
