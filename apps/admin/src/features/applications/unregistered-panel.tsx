"use client";

import { Button, Group } from "@mantine/core";
import { IconArrowRight, IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { useMayManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { EmptyState } from "@/components/state.tsx";
import type { Application, Environment } from "@/trpc/types.ts";
import { PromoteClient } from "./promote-client.tsx";
import { RegisterClient } from "./register-client.tsx";

const WORDS: Record<Environment, string> = {
  development: "A client for your own machine: plain http on loopback is fine, and nothing it gets is worth anything in production.",
  staging: "A client of its own for staging, so that a staging secret can never mint a production token.",
  production: "A client of its own for the real users. It takes https redirect URIs only.",
};

/** The tab of an environment that has no client yet. */
export function UnregisteredPanel({ application, environment }: { application: Application; environment: Environment }) {
  const { hide, reason } = useMayManage(environment);
  const [step, setStep] = useState<"empty" | "register" | Environment>("empty");
  if (step === "register") return <RegisterClient application={application} environment={environment} cancel={() => setStep("empty")} />;
  if (step !== "empty")
    return (
      <PromoteClient application={application} from={step} to={environment} done={() => setStep("empty")} cancel={() => setStep("empty")} />
    );

  const { label } = ENVIRONMENTS[environment];
  return (
    <EmptyState
      icon={<IconKey size={26} />}
      title={`Not registered for ${label.toLowerCase()}`}
      action={
        !hide && (
          <Group justify="center">
            <Permitted reason={reason}>
              <Button onClick={() => setStep("register")}>Register client</Button>
            </Permitted>
            {application.clients.map((client) => (
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
      {WORDS[environment]}
    </EmptyState>
  );
}
