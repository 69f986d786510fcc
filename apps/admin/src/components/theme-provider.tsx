"use client";

import { resolveVariables, theme } from "@gatehouse/ui";
import { MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import type { ReactNode } from "react";
import { ToastRegion } from "./toast-region.tsx";

/** Theme and toasts for every page. Style elements carry the nonce of the content security policy; `setNonce` is for the scroll lock. CO-92. */
export function ThemeProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  setNonce(nonce);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <ToastRegion />
      {children}
    </MantineProvider>
  );
}
