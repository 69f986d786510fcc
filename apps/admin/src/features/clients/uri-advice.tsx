import { Button, Text } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import type { UriVerdict } from "@/trpc/types.ts";

/** Below a redirect URI that is being typed: what it will match, or the nearest URI that is accepted. CO-25. */
export function UriAdvice({ verdict, use }: { verdict: UriVerdict | undefined; use: (uri: string) => void }) {
  return (
    <div role="status">
      {verdict?.ok === true && <UriWarning warning={verdict.warning} />}
      {verdict?.ok === true && verdict.examples !== null && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: "anywhere" }}>
          Matches <code>{visibleText(verdict.examples.matching)}</code>. {capitalised(verdict.examples.difference)} it
          does not: <code>{visibleText(verdict.examples.refused)}</code>
        </Text>
      )}
      {verdict?.ok === false && verdict.nearest !== null && (
        <Button
          variant="default"
          size="compact-xs"
          mt={6}
          onClick={() => use(verdict.nearest ?? "")}
          styles={{ root: { maxWidth: "100%" } }}
        >
          Use {visibleText(verdict.nearest)}
        </Button>
      )}
    </div>
  );
}

/** What to consider about a redirect URI that can be registered. CF-14. */
export function UriWarning({ warning }: { warning: string | null }) {
  if (warning === null) return null;
  return (
    <Text size="xs" mt={6} data-testid="uri-warning">
      <strong>Note:</strong> {warning}
    </Text>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
