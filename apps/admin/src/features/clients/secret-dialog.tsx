"use client";

import type { QuickStartName } from "@gatehouse/ui/quick-starts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconAlertTriangle, IconDownload } from "@tabler/icons-react";
import { CopyText } from "@/components/code/code-panel.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { useInstallation } from "@/components/installation.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { secretFile } from "./quick-start/secret-file.ts";

/**
 * Shows a new client secret, once, also as the file that the quick start reads it from. Only its button closes it, so
 * that Escape or a stray click can't lose the secret.
 */
export function showSecret(secret: string, client: ClientView, framework?: QuickStartName): void {
  const modalId = modals.open({
    title: "Client secret",
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    // The form that opened it may still be on screen when it closes, and unmounts right after: the focus must not
    // return there.
    returnFocus: false,
    onClose: () => document.getElementById("main")?.focus({ preventScroll: true }),
    size: "lg",
    children: (
      <Stack>
        <Alert variant="light" color="yellow" icon={<IconAlertTriangle aria-hidden="true" />}>
          <Text size="sm">
            Copy this secret now and store it in your secret manager. Gatehouse keeps only a hash, so you can’t view it
            again.
          </Text>
        </Alert>
        <UntilPageHides>
          <CopyValue value={secret} what="client secret" testId="client-secret" />
          <SecretFile client={client} secret={secret} framework={framework} />
        </UntilPageHides>
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    ),
  });
}

type SecretFileProps = { client: ClientView; secret: string; framework: QuickStartName | undefined };

function SecretFile({ client, secret, framework }: SecretFileProps) {
  const { issuer } = useInstallation();
  const { path, text } = secretFile(client, { issuer, secret, framework });
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = path;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Group gap="xs">
      <CopyText text={text} label={`Copy as ${path}`} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden="true" />}
        onClick={download}
      >
        Download {path}
      </Button>
    </Group>
  );
}
