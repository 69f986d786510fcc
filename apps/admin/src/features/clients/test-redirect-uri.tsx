"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";

const RedirectUriVerdict = dynamic(
  () => import("./redirect-uri-verdict.tsx").then((module) => module.RedirectUriVerdict),
  {
    loading: () => null,
  },
);

/**
 * Says whether `/authorize` accepts a pasted address for this client, and where it differs if not. Changes nothing.
 * CO-26.
 */
export function TestRedirectUri({ clientId }: { clientId: string }) {
  const [pasted, setPasted] = useState("");
  const [asked] = useDebouncedValue(pasted, 300);
  const trpc = useTRPC();
  const test = useQuery({
    ...trpc.clients.testRedirectUri.queryOptions({ clientId, pasted: asked }),
    enabled: asked.trim() !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <div>
      <TextInput
        label="Test a redirect URI"
        description="Paste a URI, or the full URL from the address bar. No request is sent to it."
        value={pasted}
        maxLength={16_384}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => setPasted(event.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: "var(--gh-text-sm)" } }}
      />
      {asked.trim() !== "" && test.data && <RedirectUriVerdict tested={test.data} />}
    </div>
  );
}
