"use client";

import { resolveVariables, theme } from "@gatehouse/ui";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

/** Theme and toasts for every page. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <Notifications position="bottom-center" />
      {children}
    </MantineProvider>
  );
}
