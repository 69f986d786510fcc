"use client";

import { Checkbox, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import type { Environment } from "@/trpc/types.ts";

/** Whether an endpoint goes into production or leaves it, which ends its secrets. */
export const crossesProduction = (from: Environment, to: Environment) =>
  (from === "production") !== (to === "production");

type Props = { slug: string; to: Environment; kept: string[]; onChange: (kept: string[]) => void };

/**
 * Which active secrets stay when the endpoint goes into production or leaves it: none, unless they are chosen. CO-58.
 */
export function KeptSecrets({ slug, to, kept, onChange }: Props) {
  const trpc = useTRPC();
  const { data: secrets = [] } = useQuery(trpc.webhookSecrets.list.queryOptions({ endpoint: slug }));
  const active = secrets.filter(({ state, kind }) => state !== "ended" && kind !== "forwarding");
  if (active.length === 0) return null;
  return (
    <Checkbox.Group
      label="Secrets to keep"
      description={
        to === "production"
          ? "The move ends every secret that you don’t keep. Anybody who knows one can sign deliveries that production accepts."
          : "The move ends every secret that you don’t keep. With one of production, its deliveries would be stored here, where developers read them."
      }
      value={kept}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {active.map(({ id, hint, name, kind }) => (
          <Checkbox
            key={id}
            value={id}
            label={`…${hint}${name === null ? "" : ` (${name})`}${kind === "api_key" ? ", API key" : ""}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
