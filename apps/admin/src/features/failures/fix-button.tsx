"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { Failure, Fix } from "@/trpc/types.ts";

const LABELS: Record<Fix["kind"], string> = {
  add_redirect_uri: "Add this URI…",
  add_scope: "Allow this scope…",
  add_grant_type: "Allow this grant type…",
  enable_client: "Enable the client…",
  add_secret: "Add a secret…",
};

/** Opens the client's editor with the fix filled in. Nothing is saved. CO-27. */
export function FixButton({ failure, fix }: { failure: Failure; fix: Fix }) {
  const href = clientHref(failure.client, parametersOf(fix));
  if (href === null) return null;
  return (
    <Button component={Link} href={href} size="xs">
      {LABELS[fix.kind]}
    </Button>
  );
}

function parametersOf(fix: Fix): Record<string, string> {
  switch (fix.kind) {
    case "enable_client":
      return {};
    case "add_secret":
      return { tab: "secrets" };
    default:
      return { tab: "settings", [fix.kind]: fix.value };
  }
}

/** The page of a refusal's client; null if it is not, or no longer, a client's. */
export function clientHref(client: Failure["client"], more: Record<string, string> = {}): string | null {
  if (client === null || client.applicationId === null || client.environment === null || client.name === null)
    return null;
  const query = new URLSearchParams({ client: client.name, environment: client.environment, ...more });
  return `/applications/${encodeURIComponent(client.applicationId)}?${query}`;
}
