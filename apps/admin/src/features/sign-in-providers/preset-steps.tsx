"use client";

import { Anchor, List, Stack } from "@mantine/core";
import { CopyValue } from "@/components/copy-value.tsx";
import { Fact } from "@/components/fact.tsx";
import type { SignInPreset } from "@/trpc/types.ts";

/** Who runs the provider; a plain standard has no vendor. */
export const providerOf = ({ preset, name }: SignInPreset) => (preset === "oidc" ? "your provider" : name);

/** What to do at the provider, with the callback URL to copy. */
export function PresetSteps({ preset, callbackUrl }: { preset: SignInPreset; callbackUrl: string }) {
  return (
    <Stack gap="sm">
      <Fact label={`Callback URL to register at ${providerOf(preset)}`}>
        <CopyValue value={callbackUrl} what="callback URL" testId="callback-url" />
      </Fact>
      <List type="ordered" size="sm" spacing={6} maw={680}>
        {preset.steps.map((step) => (
          <List.Item key={step}>{step.replace("{callback}", "the callback URL")}</List.Item>
        ))}
      </List>
      <Anchor href={preset.docsUrl} target="_blank" rel="noreferrer" size="sm">
        {preset.preset === "oidc" ? "What OpenID Connect asks of a provider" : `${preset.name}’s own instructions`}
      </Anchor>
    </Stack>
  );
}
