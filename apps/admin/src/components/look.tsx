"use client";

import { resolveVariables, theme } from "@gatehouse/ui";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

/** Theme and messages, around every page. */
export function Look({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      {children}
    </MantineProvider>
  );
}
