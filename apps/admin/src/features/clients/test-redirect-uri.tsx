"use client";

import { Alert, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { visibleText } from "@/components/code/visible-text.ts";
import { UriDiff } from "@/components/uri-diff.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { TestedUri } from "@/trpc/types.ts";

/** Says whether `/authorize` accepts a pasted address for this client, and where it differs if not. Changes nothing. CO-26. */
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
      {asked.trim() !== "" && test.data && <Verdict tested={test.data} />}
    </div>
  );
}

function Verdict({ tested: { uri, from, comparison, previewSlot } }: { tested: TestedUri }) {
  const { matched, nearest, differences } = comparison;
  const text =
    previewSlot !== null
      ? `It is the preview slot ${previewSlot}. /authorize accepts it until the slot ends.`
      : matched !== null
        ? matched === uri
          ? "It is registered. /authorize accepts it."
          : `It matches ${matched}. /authorize accepts it.`
        : nearest === null
          ? "This client has no redirect URI."
          : `It is not registered: ${differences.map((one) => visibleText(one.text)).join("; ")}.`;
  return (
    <div role="status">
      <Alert variant="light" color={matched === null ? "orange" : "teal"} mt="sm" mb="sm" data-testid="verdict">
        {text}
        {from !== "uri" && (
          <Text size="xs" mt={4}>
            Read from {from === "authorize_url" ? "the address" : "its percent-encoded form"}: <code>{visibleText(uri)}</code>
          </Text>
        )}
      </Alert>
      {matched === null && nearest !== null && <UriDiff sent={uri} comparison={comparison} />}
    </div>
  );
}
