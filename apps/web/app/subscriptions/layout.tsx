import { branding } from "@gatehouse/product/branding";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ApiProvider } from "../api-provider.tsx";

export const metadata: Metadata = { title: `Subscriptions · ${branding.name}` };

export default function SubscriptionsLayout({ children }: { children: ReactNode }) {
  return <ApiProvider>{children}</ApiProvider>;
}
