import { Badge } from "@mantine/core";
import type { ApplicationItem, Environment } from "@/trpc/types.ts";

type EnvironmentLook = { label: string; color: string; token: string };

/** In the order in which a change travels. */
export const ENVIRONMENTS = {
  development: { label: "Development", color: "blue", token: "var(--gh-development)" },
  staging: { label: "Staging", color: "yellow", token: "var(--gh-staging)" },
  production: { label: "Production", color: "green", token: "var(--gh-production)" },
} as const satisfies Record<Environment, EnvironmentLook>;

export const environmentNames = Object.keys(ENVIRONMENTS) as Environment[];

export function isEnvironment(value: string | null | undefined): value is Environment {
  return value !== null && value !== undefined && value in ENVIRONMENTS;
}

/** A dot in the environment's colour: filled while its client is on, hollow while it is off. */
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

export function EnvironmentBadge({ client }: { client: ApplicationItem["clients"][number] }) {
  const { label, token } = ENVIRONMENTS[client.environment];
  return (
    <Badge
      variant="default"
      tt="none"
      fw={500}
      style={{ color: token }}
      leftSection={<EnvironmentDot environment={client.environment} filled={client.enabled} />}
    >
      {client.enabled ? label : `${label} (off)`}
    </Badge>
  );
}
