"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { Failure, Mend } from "@/trpc/types.ts";

const LABELS: Record<Mend["kind"], string> = {
  add_redirect_uri: "Add this URI…",
  add_scope: "Allow this scope…",
  add_grant_type: "Allow this grant type…",
  enable_client: "Enable the client…",
  add_secret: "Add a secret…",
};

/** Opens the client's editor with the mend filled in. Nothing is saved. CO-27. */
export function MendButton({ failure, mend }: { failure: Failure; mend: Mend }) {
  const href = clientHref(failure.client, parametersOf(mend));
  if (href === null) return null;
  return (
    <Button component={Link} href={href} size="xs">
      {LABELS[mend.kind]}
    </Button>
  );
}

function parametersOf(mend: Mend): Record<string, string> {
  switch (mend.kind) {
    case "enable_client":
      return {};
    case "add_secret":
      return { tab: "secrets" };
    default:
      return { tab: "settings", [mend.kind]: mend.value };
  }
}

/** The page of a refusal's client; null if it is not, or no longer, a client's. */
export function clientHref(client: Failure["client"], more: Record<string, string> = {}): string | null {
  if (client === null || client.applicationId === null || client.environment === null || client.name === null) return null;
  const query = new URLSearchParams({ client: client.name, environment: client.environment, ...more });
  return `/applications/${encodeURIComponent(client.applicationId)}?${query}`;
}
