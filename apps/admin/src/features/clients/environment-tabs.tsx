"use client";

import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { ENVIRONMENTS, EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import type { ClientView, Environment } from "@/trpc/types.ts";
import styles from "./environment-tabs.module.css";

type Props = { selected: Environment; choose: (environment: Environment) => void; children: ReactNode };

/** A client's page, of which `EnvironmentTabList` chooses the environment. CO-23. */
export function EnvironmentTabs({ selected, choose, children }: Props) {
  return (
    <Tabs
      value={selected}
      onChange={(value) => {
        const environment = environmentNames.find((name) => name === value);
        if (environment) choose(environment);
      }}
      keepMounted={false}
      variant="pills"
      classNames={{ list: styles["list"] ?? "", tab: styles["tab"] ?? "" }}
    >
      {children}
    </Tabs>
  );
}

/** The environments, with a filled dot where the client is registered. */
export function EnvironmentTabList({ clients }: { clients: readonly ClientView[] }) {
  return (
    <Tabs.List aria-label="Environments">
      {environmentNames.map((environment) => (
        <Tabs.Tab
          key={environment}
          value={environment}
          leftSection={<EnvironmentDot environment={environment} filled={clients.some((client) => client.environment === environment)} />}
        >
          {ENVIRONMENTS[environment].label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
