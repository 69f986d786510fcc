"use client";

import { Button, Group } from "@mantine/core";
import { IconArrowRight, IconKey } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import type { ClientPlace, ClientView, Environment } from "@/trpc/types.ts";

const loading = () => <RowsSkeleton rows={3} height={180} />;
const PromoteClient = dynamic(() => import("./promote-client.tsx").then((module) => module.PromoteClient), { loading });
const RegisterClient = dynamic(() => import("./register-client.tsx").then((module) => module.RegisterClient), {
  loading,
});

const DESCRIPTIONS: Record<Environment, string> = {
  development: "A client for local development. It can use http on loopback, and its tokens don’t work in production.",
  staging: "A separate client for staging, so that a staging secret can never get production tokens.",
  production: "The client for your real users. Its redirect URIs must use https.",
};

/** The tab of an environment where the client is not registered yet. `clients`: the same client in the others. */
export function UnregisteredPanel({ place, clients }: { place: ClientPlace; clients: readonly ClientView[] }) {
  const { environment } = place;
  const { hide, reason } = useCanManage(environment);
  const [step, setStep] = useState<"empty" | "register" | Environment>("empty");
  if (step === "register") return <RegisterClient place={place} cancel={() => setStep("empty")} />;
  if (step !== "empty")
    return (
      <PromoteClient
        place={place}
        clients={clients}
        from={step}
        done={() => setStep("empty")}
        cancel={() => setStep("empty")}
      />
    );

  const { label } = ENVIRONMENTS[environment];
  return (
    <EmptyState
      icon={<IconKey size={26} />}
      title={`No ${label.toLowerCase()} client yet`}
      action={
        !hide && (
          <Group justify="center">
            <Permitted reason={reason}>
              <Button onClick={() => setStep("register")}>Register client</Button>
            </Permitted>
            {clients.map((client) => (
              <Permitted key={client.environment} reason={reason}>
                <Button
                  variant="default"
                  leftSection={<IconArrowRight size={16} aria-hidden="true" />}
                  onClick={() => setStep(client.environment)}
                >
                  Promote from {ENVIRONMENTS[client.environment].label.toLowerCase()}
                </Button>
              </Permitted>
            ))}
          </Group>
        )
      }
    >
      {DESCRIPTIONS[environment]}
    </EmptyState>
  );
}
