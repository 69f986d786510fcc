"use client";

import { Loader, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import type { ClientSecret } from "@/trpc/types.ts";
import styles from "./rotation-steps.module.css";

type Step = { state: "done" | "waiting" | "next" | "later"; title: string; text: ReactNode };

/** The three steps of a rotation, with how far this one has come. `live`: newest first, one or two. CO-34. */
export function RotationSteps({ live }: { live: readonly ClientSecret[] }) {
  const [newest, old] = live;
  if (!newest) return null;
  const steps = old ? stepsOf(newest, old) : STEPS;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Rotate without downtime
      </Title>
      <ol className={styles["steps"]}>
        {steps.map((step) => (
          <li
            key={step.title}
            data-state={step.state}
            {...(step.state === "next" && { "aria-current": "step" as const })}
          >
            <Mark state={step.state} />
            <div>
              <Text size="sm" fw={550}>
                {step.title}
              </Text>
              <Text size="sm" c="dimmed" {...(step.state === "waiting" && { role: "status" })}>
                {step.text}
              </Text>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const STEPS: readonly Step[] = [
  { state: "next", title: "Add a second secret", text: "Both work side by side." },
  { state: "later", title: "Deploy it", text: "This page shows when the new secret is used for the first time." },
  { state: "later", title: "Retire the old one", text: "Once nothing uses it any more." },
];

function stepsOf(newest: ClientSecret, old: ClientSecret): Step[] {
  const added = (
    <>
      …{newest.hint} was added <Timestamp at={newest.createdAt} />.
    </>
  );
  return [{ state: "done", title: "Add a second secret", text: added }, firstUseStep(newest), retireStep(newest, old)];
}

function firstUseStep({ hint, lastUsedAt }: ClientSecret): Step {
  if (lastUsedAt === null)
    return {
      state: "waiting",
      title: "Deploy it",
      text: `Waiting for the first use of …${hint}. This page shows it at once.`,
    };
  const text = (
    <>
      …{hint} is in use. Last used <Timestamp at={lastUsedAt} />.
    </>
  );
  return { state: "done", title: "Deploy it", text };
}

function retireStep(newest: ClientSecret, old: ClientSecret): Step {
  const title = "Retire the old one";
  if (old.endsAt !== null) {
    const text = (
      <>
        …{old.hint} ends <Timestamp at={old.endsAt} />. You can cancel that until then.
      </>
    );
    return { state: "done", title, text };
  }
  if (newest.lastUsedAt === null) return { state: "later", title, text: `Not yet: nothing has used …${newest.hint}.` };
  return { state: "next", title, text: adviceFor(old) };
}

function adviceFor({ hint, lastUsedAt, rotation }: ClientSecret): ReactNode {
  if (rotation?.state === "safe_to_remove") return `…${hint} is safe to retire.`;
  if (lastUsedAt === null) return `Nothing has used …${hint}.`;
  return (
    <>
      …{hint} was last used <Timestamp at={lastUsedAt} />. Retire it with some time to spare if parts of your system may
      still use it.
    </>
  );
}

function Mark({ state }: { state: Step["state"] }) {
  if (state === "done")
    return (
      <IconCircleCheck size={18} stroke={1.5} role="img" aria-label="Done" color="var(--mantine-color-teal-filled)" />
    );
  if (state === "waiting") return <Loader size={16} aria-hidden="true" />;
  return <IconCircle size={18} stroke={1.5} aria-hidden="true" color="var(--mantine-color-dimmed)" />;
}
