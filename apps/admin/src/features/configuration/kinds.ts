import type { ConfigurationPlan } from "@/trpc/types.ts";

/** What a file calls its objects, in words. */
export const KINDS: Record<ConfigurationPlan["changes"][number]["kind"], string> = {
  resource: "API",
  user: "User",
  application: "Application",
  client: "Client",
  webhook_endpoint: "Webhook endpoint",
  sign_in_provider: "Sign-in provider",
};
