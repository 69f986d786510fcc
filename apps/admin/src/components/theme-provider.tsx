"use client";

import { resolveVariables, theme } from "@gatehouse/ui";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { ToastRegion } from "./toast-region.tsx";

/** Theme and toasts for every page. Style elements carry the nonce of the content security policy. CO-92. */
export function ThemeProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <ToastRegion />
      {children}
    </MantineProvider>
  );
}
