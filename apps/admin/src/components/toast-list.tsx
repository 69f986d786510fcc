"use client";

import { Notifications } from "@mantine/notifications";
import { TOAST_MS } from "./toasts.tsx";

/** The toasts that are shown. */
export function ToastList() {
  return <Notifications position="bottom-center" autoClose={TOAST_MS} />;
}
