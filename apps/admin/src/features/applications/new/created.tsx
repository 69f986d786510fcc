import { Button, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CopyValue } from "@/components/copy-value.tsx";
import { Fact } from "@/components/fact.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { QuickStart } from "@/features/clients/quick-start/quick-start.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The last screen: the client id, and a program that works with it. */
export function Created({ clientId, issuer }: { clientId: string; issuer: string }) {
  const trpc = useTRPC();
  const { data: client, error, refetch } = useQuery(trpc.clients.get.queryOptions({ clientId }));
  if (error && !client) return <LoadError error={error} retry={refetch} />;
  if (!client) return <RowsSkeleton rows={3} height={120} />;
  const href = `/applications/${client.applicationId}?client=${encodeURIComponent(client.name)}&environment=${client.environment}`;
  return (
    <>
      <PageFrame
        title={client.applicationName}
        crumbs={[{ label: "Applications", href: "/applications" }]}
        description="The application and its development client are ready. Connect your code next."
        environment={client.environment}
        actions={
          <Button component={Link} href={href} variant="default">
            Open application
          </Button>
        }
      />
      <Stack gap="xl">
        <Stack gap="md">
          <Fact label="Client ID">
            <CopyValue value={client.clientId} what="client ID" testId="client-id" />
          </Fact>
          <Fact label="Issuer">
            <CopyValue value={issuer} what="issuer" />
          </Fact>
        </Stack>
        <section aria-labelledby="quick-start">
          <Title order={2} size="h4" id="quick-start" mb={4}>
            Quick start
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            You find this again in the application, under Quick start.
          </Text>
          <QuickStart client={client} issuer={issuer} />
        </section>
      </Stack>
    </>
  );
}
