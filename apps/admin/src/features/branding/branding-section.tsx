"use client";

import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Application } from "@/trpc/types.ts";
import { BrandingForm } from "./branding-form.tsx";

type Props = {
  application: Application;
  /** Why the user can't change it. */
  reason: string | undefined;
  /** The same for the logo, which no file holds. */
  logoReason: string | undefined;
};

/** How the application looks on the pages of a sign-in and in mails. BD-01. */
export function BrandingSection({ application, ...reasons }: Props) {
  const trpc = useTRPC();
  const branding = useQuery(trpc.branding.get.queryOptions({ applicationId: application.id }));
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-labelledby="branding">
      <Stack gap="lg">
        <div>
          <Title order={2} size="h4" id="branding">
            Sign-in page
          </Title>
          <Text size="sm" c="dimmed">
            What users see when they sign in to this application. Anything not set here comes from the installation’s
            branding.
          </Text>
        </div>
        {branding.isPending ? (
          <RowsSkeleton rows={2} height={80} />
        ) : branding.data === undefined ? (
          <LoadError error={branding.error} retry={branding.refetch} />
        ) : (
          <BrandingForm application={application} branding={branding.data} {...reasons} />
        )}
      </Stack>
    </Paper>
  );
}
