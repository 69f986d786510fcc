import { Stack, Text, Title } from "@mantine/core";
import type { ClientView, Previews } from "@/trpc/types.ts";
import { Snippet } from "../quick-start/snippet.tsx";

type Props = { client: ClientView; issuer: string; frame: NonNullable<Previews["frame"]> };

/** How a CI job puts and ends a slot, with this client's values. CO-29. */
export function FromCi({ client: { clientId }, issuer, frame }: Props) {
  const { hostPrefix, hostSuffix, path } = frame;
  const call = (procedure: string, input: Record<string, string>) =>
    [
      `curl -sS --fail-with-body "${issuer}/trpc/${procedure}" \\`,
      `  -H "Authorization: Bearer $PREVIEWS_TOKEN" -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(input)}'`,
    ].join("\n");
  const put = call("previews.put", {
    clientId,
    key: "pr-123",
    redirectUri: `https://${hostPrefix}pr-123${hostSuffix}${path}`,
  });
  return (
    <section>
      <Title order={2} size="h4">
        From CI
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        An admin makes an API token with the scope <code>previews:write</code> for this client. The job puts a slot with
        each deployment, and ends it when the pull request is closed.
      </Text>
      <Stack gap="sm">
        <Snippet title="Put or renew" text={put} />
        <Snippet title="End" text={call("previews.end", { clientId, key: "pr-123" })} />
      </Stack>
    </section>
  );
}
