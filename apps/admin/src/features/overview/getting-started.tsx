"use client";

import { Anchor, Button } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import Link from "next/link";
import { useMe } from "@/components/me.tsx";
import { dialogHref } from "@/components/use-opened-by-link.ts";
import type { FirstStep, Me } from "@/trpc/types.ts";

/** `may`: what doing it needs. */
type Words = {
  title: string;
  text: string;
  href: string;
  action: string;
  may: "manageDevelopment" | "manageProduction";
};

const STEPS: Record<FirstStep["step"], Words> = {
  application: {
    title: "Add an application",
    text: "The product that users sign in to.",
    href: "/applications/new",
    action: "New application",
    may: "manageDevelopment",
  },
  development_client: {
    title: "Register a client for development",
    text: "Its client id and secret go into your code on localhost.",
    href: "/applications",
    action: "Open applications",
    may: "manageDevelopment",
  },
  first_token: {
    title: "Get the first token",
    text: "Sign in with your app, or run the client’s quick start.",
    href: "/applications",
    action: "Open applications",
    may: "manageDevelopment",
  },
  second_admin: {
    title: "Invite a second admin",
    text: "So that nobody is locked out when one is away.",
    href: dialogHref("/users/invitations", "invite"),
    action: "Invite",
    may: "manageProduction",
  },
  webhook_provider: {
    title: "Set up a webhook provider",
    text: "Stripe, GitHub and others deliver to a URL of their own.",
    href: "/webhooks",
    action: "Open providers",
    may: "manageDevelopment",
  },
  first_delivery: {
    title: "Receive the first delivery",
    text: "Send one from the provider’s dashboard, or a signed sample from here.",
    href: dialogHref("/deliveries", "send"),
    action: "Send a test event",
    may: "manageDevelopment",
  },
  production_client: {
    title: "Register a client for production",
    text: "Promote the settings that work. Secrets are not copied.",
    href: "/applications",
    action: "Open applications",
    may: "manageProduction",
  },
  mail: {
    title: "Connect an SMTP server",
    text: "For verification, password resets and security notices.",
    href: "/settings/mail",
    action: "Open mail settings",
    may: "manageProduction",
  },
};

type Props = { steps: readonly FirstStep[] /** Show only what is left to do. */; brief: boolean; dismiss: () => void };

/** The steps of a new installation. They tick themselves. CO-15. */
export function GettingStarted({ steps, brief, dismiss }: Props) {
  const { can } = useMe();
  const done = steps.filter((one) => one.done).length;
  const next = steps.find((one) => !one.done && can[STEPS[one.step].may])?.step;
  const shown = brief ? steps.filter((one) => !one.done) : steps;
  return (
    <section className="getting-started" aria-labelledby="getting-started">
      <div className="getting-started-head">
        <h2 id="getting-started" className="overview-heading">
          Getting started
        </h2>
        <span className="overview-muted">
          {done} of {steps.length} done
        </span>
        <Button size="compact-xs" variant="subtle" color="gray" ms="auto" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
      <ol className="getting-started-steps">
        {shown.map(({ step, done: isDone }) => (
          <Step key={step} words={STEPS[step]} done={isDone} next={step === next} can={can} />
        ))}
      </ol>
    </section>
  );
}

type StepProps = { words: Words; done: boolean; next: boolean; can: Me["can"] };

function Step({ words: { title, text, href, action, may }, done, next, can }: StepProps) {
  const Icon = done ? IconCircleCheckFilled : IconCircle;
  return (
    <li className="getting-started-step" data-done={done}>
      <Icon size={18} role="img" aria-label={done ? "Done:" : "To do:"} className="getting-started-icon" />
      <span>
        <span className="getting-started-title">{title}</span>
        <span className="overview-muted">{text}</span>
      </span>
      {!done && !can[may] && (
        <span className="overview-muted">
          {may === "manageProduction" ? "For an admin" : "For a developer or an admin"}
        </span>
      )}
      {!done &&
        can[may] &&
        (next ? (
          <Button component={Link} href={href} prefetch={false} size="compact-sm">
            {action}
          </Button>
        ) : (
          <Anchor component={Link} href={href} prefetch={false} className="attention-fix">
            {action}
          </Anchor>
        ))}
    </li>
  );
}
