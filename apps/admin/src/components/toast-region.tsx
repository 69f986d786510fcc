"use client";

import { useNotifications } from "@mantine/notifications";
import dynamic from "next/dynamic";
import { useState } from "react";

const ToastList = dynamic(() => import("./toast-list.tsx").then((module) => module.ToastList), { ssr: false });

/** Where toasts appear. Its code is loaded with the first one. CO-79, CO-99. */
export function ToastRegion() {
  const { notifications } = useNotifications();
  const [used, setUsed] = useState(false);
  if (notifications.length > 0 && !used) setUsed(true);
  return used ? <ToastList /> : null;
}
