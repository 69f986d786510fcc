import { IconApps, IconInbox, IconStethoscope, IconUsers, IconWebhook } from "@tabler/icons-react";

/** The console's pages, in the order of the navigation bar. */
export const NAVIGATION = [
  { href: "/applications", label: "Applications", Icon: IconApps },
  { href: "/deliveries", label: "Deliveries", Icon: IconInbox },
  { href: "/users", label: "Users", Icon: IconUsers },
  { href: "/webhooks", label: "Webhook providers", Icon: IconWebhook },
  { href: "/doctor", label: "Doctor", Icon: IconStethoscope },
] as const;
