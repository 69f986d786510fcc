import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import type { Delivery } from "@/trpc/types.ts";

/** Says that the provider marks the event as a test in production, or as live elsewhere. Nothing where it does not. */
export function ModeNotice({ delivery: { providerName, environment, mode, modeContradicts } }: { delivery: Delivery }) {
  if (!modeContradicts) return null;
  const marked = mode === "test" ? "a test" : "live";
  return (
    <Alert
      variant="light"
      color="orange"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${providerName} marks this event as ${marked}, but it arrived in ${ENVIRONMENTS[environment].label.toLowerCase()}`}
      mb="md"
      role="status"
    >
      {mode === "test"
        ? "If handlers count it as real, that is a mistake: they see the mark as event.mode. At the provider, send its tests to an endpoint for staging or development."
        : "Real events belong to a production endpoint, whose secrets only admins change. At the provider, enter that endpoint’s URL for live events."}
    </Alert>
  );
}
