"use client";

import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { ENVIRONMENTS, EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import type { ClientView, Environment } from "@/trpc/types.ts";
import styles from "./environment-tabs.module.css";

/** Ties the panel to the tabs, whose ids Mantine derives from it. */
const ID = "environments";

type Props = { clients: readonly ClientView[]; selected: Environment; choose: (environment: Environment) => void };

/** Chooses the environment of a client's page, with a filled dot where the client is registered. CO-23. */
export function EnvironmentTabs({ clients, selected, choose }: Props) {
  return (
    <Tabs
      id={ID}
      value={selected}
      onChange={(value) => {
        const environment = environmentNames.find((name) => name === value);
        if (environment) choose(environment);
      }}
      variant="pills"
      classNames={{ list: styles["list"] ?? "", tab: styles["tab"] ?? "" }}
    >
      <Tabs.List aria-label="Environments">
        {environmentNames.map((environment) => (
          <Tabs.Tab
            key={environment}
            value={environment}
            aria-controls={environment === selected ? `${ID}-panel-${environment}` : undefined}
            leftSection={
              <EnvironmentDot
                environment={environment}
                filled={clients.some((client) => client.environment === environment)}
              />
            }
          >
            {ENVIRONMENTS[environment].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

/**
 * What `EnvironmentTabs` chose. Not a panel of Mantine's: a context that changes with the first render in the browser
 * would make React throw away the HTML of the section in it, whose code is still loading. CO-99.
 */
export function EnvironmentPanel({ selected, children }: { selected: Environment; children: ReactNode }) {
  return (
    <div role="tabpanel" id={`${ID}-panel-${selected}`} aria-labelledby={`${ID}-tab-${selected}`}>
      {children}
    </div>
  );
}
