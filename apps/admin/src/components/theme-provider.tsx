"use client";

import { resolveVariables, theme } from "@gatehouse/ui";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import type { ReactNode } from "react";
import { TOAST_MS } from "./toasts.tsx";

/** Theme and toasts for every page. Style elements carry the nonce of the content security policy; `setNonce` is for the scroll lock. CO-92. */
export function ThemeProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  setNonce(nonce);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Notifications position="bottom-center" autoClose={TOAST_MS} />
      {children}
    </MantineProvider>
  );
}
