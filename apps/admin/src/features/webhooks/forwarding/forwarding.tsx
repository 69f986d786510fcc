"use client";

import { Alert, Button, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { Fact } from "@/components/fact.tsx";
import { useCanManage } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { EditForwarding } from "./edit-forwarding.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { StopForwarding } from "./stop-forwarding.tsx";

/** Where the endpoint's accepted events are sent, and what they are signed with. PK-56. */
export function EndpointForwarding({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { forward, environment } = endpoint;
  const { hide, reason } = useCanChange(environment, endpoint.managed);
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const open = () => (environment === "production" ? confirmed(dialog.open) : dialog.open());
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" mb="xs" align="flex-start">
        <div style={{ flex: "1 1 18rem" }}>
          <Title order={2} size="h4">
            Forwarding
          </Title>
          <Text size="sm" c="dimmed" maw={620}>
            Sends each accepted event to your product, signed, with retries.
          </Text>
        </div>
        {!hide && (
          <Permitted reason={reason}>
            <Button variant="default" size="xs" onClick={open}>
              {forward ? "Edit forwarding" : "Set up forwarding"}
            </Button>
          </Permitted>
        )}
      </Group>
      {forward ? (
        <Forwarding endpoint={endpoint} forward={forward} hide={hide} reason={reason} />
      ) : (
        <Text size="sm">Events are not forwarded.</Text>
      )}
      <EditForwarding endpoint={endpoint} opened={opened} close={dialog.close} />
    </Paper>
  );
}

type Forward = NonNullable<WebhookEndpoint["forward"]>;
type Props = { endpoint: WebhookEndpoint; forward: Forward; hide: boolean; reason: string | undefined };

function Forwarding({ endpoint, forward, hide, reason }: Props) {
  const { url, events, secrets } = forward;
  // A file that locks the endpoint has no secret, so a leaked one can be rotated all the same.
  const { reason: mayNotManage } = useCanManage(endpoint.environment);
  const unreadable = secrets.length > 0 && secrets.every(({ readable }) => !readable);
  return (
    <Stack gap="md">
      {unreadable && (
        <Alert variant="light" color="red" title="Events can’t be signed">
          The secret was encrypted with another GATEHOUSE_SECRET. Rotate it, and give the new one to your product.
        </Alert>
      )}
      <Fact label="URL of your product">
        <CopyValue value={url} what="forwarding URL" testId="forwarding-url" />
      </Fact>
      <Fact label="Events">
        {events === null ? (
          "All"
        ) : (
          <Group gap={6}>
            {events.map((type) => (
              <Code key={type}>{type}</Code>
            ))}
          </Group>
        )}
      </Fact>
      <Fact label="Signed with">
        <Stack gap={4}>
          {secrets.map(({ id, hint, createdAt, endsAt }) => (
            <span key={id}>
              <code>…{hint}</code>, made <Timestamp at={createdAt} brief />
              {endsAt !== null && (
                <>
                  , until <Timestamp at={endsAt} brief />
                </>
              )}
            </span>
          ))}
        </Stack>
      </Fact>
      {!hide && (
        <Group gap="sm">
          <RotateSecret endpoint={endpoint} reason={mayNotManage} />
          <StopForwarding endpoint={endpoint} reason={reason} />
        </Group>
      )}
    </Stack>
  );
}
