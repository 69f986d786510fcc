"use client";

import { Alert, Text } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import { UriDiff } from "@/components/uri-diff.tsx";
import type { TestedUri } from "@/trpc/types.ts";

/** Whether a redirect URI is registered, and where it differs from the nearest one if not. CO-26. */
export function RedirectUriVerdict({ tested: { uri, from, comparison, previewSlot } }: { tested: TestedUri }) {
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
            Read from {from === "authorize_url" ? "the address" : "its percent-encoded form"}:{" "}
            <code>{visibleText(uri)}</code>
          </Text>
        )}
      </Alert>
      {matched === null && nearest !== null && <UriDiff sent={uri} comparison={comparison} />}
    </div>
  );
}
