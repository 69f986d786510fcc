"use client";

import { Button, FileButton, Group, Image, Input } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf, messageOf } from "@/trpc/errors.ts";
import type { Application } from "@/trpc/types.ts";

type Props = { application: Application; logo: string | null; reason: string | undefined };

/** Uploads a logo as soon as it is chosen. */
export function LogoField({ application, logo, reason }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.branding.setLogo.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess: () => queries.invalidateQueries(trpc.branding.pathFilter()),
    }),
  );
  const upload = async (file: File | null) => {
    if (file) change.mutate({ applicationId: application.id, logo: await base64Of(file) });
  };
  const error = change.error ? (fieldErrorsOf(change.error)["logo"] ?? messageOf(change.error)) : undefined;
  return (
    <Input.Wrapper label="Logo" description="PNG, JPEG or WebP, up to 256 KiB. Shown 32 pixels high." error={error}>
      <Group mt={4}>
        {logo !== null && <Image src={logo} alt="Current logo" h={32} w="auto" maw={128} fit="contain" />}
        <FileButton onChange={upload} accept="image/png,image/jpeg,image/webp" disabled={reason !== undefined}>
          {(props) => (
            <Permitted reason={reason}>
              <Button variant="default" size="xs" loading={change.isPending} {...props}>
                {logo === null ? "Upload logo" : "Replace logo"}
              </Button>
            </Permitted>
          )}
        </FileButton>
        {logo !== null && reason === undefined && (
          <Button variant="subtle" size="xs" color="red" onClick={() => change.mutate({ applicationId: application.id, logo: null })}>
            Remove logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
