"use client";

import {
  Collapse,
  NativeSelect,
  PasswordInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import type { SignInPreset } from "@/trpc/types.ts";
import type { ProviderValues } from "./provider-values.ts";

type Props = {
  form: UseFormReturnType<ProviderValues>;
  preset: SignInPreset;
  /** A secret is stored already: an empty field keeps it. */
  hasSecret: boolean;
  disabled?: boolean;
  /** By default as the other fields. */
  secretDisabled?: boolean;
};

const PLAIN = { autoComplete: "off", spellCheck: false };

/** The fields of one provider: those that its kind needs, then the rest. UP-01. */
export function ProviderFields({ form, preset, hasSecret, disabled = false, secretDisabled = disabled }: Props) {
  const has = (field: SignInPreset["fields"][number]) => preset.fields.includes(field);
  const secretHint = hasSecret
    ? "Stored, and never shown. Leave it empty to keep it."
    : "Stored sealed, and never shown again.";
  const secret = {
    label: preset.names["secret"],
    description: secretHint,
    disabled: secretDisabled,
    ...PLAIN,
    ...form.getInputProps("secret"),
  };
  return (
    <>
      <TextInput
        label="Name"
        description={`On the button: “Continue with ${form.values.name || preset.name}”.`}
        maxLength={40}
        disabled={disabled}
        {...form.getInputProps("name")}
      />
      {has("issuer") && (
        <TextInput
          label={preset.names["issuer"]}
          description={
            preset.issuerRequired
              ? "Exactly as the provider’s metadata spells it."
              : `Only for a server of your own. Empty: ${preset.name} itself.`
          }
          placeholder="https://id.example.com"
          disabled={disabled}
          {...PLAIN}
          {...form.getInputProps("issuer")}
        />
      )}
      <TextInput
        label={preset.names["clientId"]}
        maxLength={255}
        disabled={disabled}
        {...PLAIN}
        {...form.getInputProps("clientId")}
      />
      {preset.secret === "Private key" ? (
        <Textarea {...secret} autosize minRows={3} maxRows={8} placeholder="-----BEGIN PRIVATE KEY-----" />
      ) : (
        <PasswordInput {...secret} autoComplete="new-password" />
      )}
      {has("tenants") && (
        <Textarea
          label={preset.names["tenants"]}
          description="Only users of these tenants can sign in. One per line."
          placeholder="11111111-2222-3333-4444-555555555555"
          autosize
          disabled={disabled}
          {...PLAIN}
          {...form.getInputProps("tenants")}
        />
      )}
      {has("teamId") && (
        <TextInput
          label={preset.names["teamId"]}
          maxLength={10}
          disabled={disabled}
          {...PLAIN}
          {...form.getInputProps("teamId")}
        />
      )}
      {has("keyId") && (
        <TextInput
          label={preset.names["keyId"]}
          maxLength={10}
          disabled={disabled}
          {...PLAIN}
          {...form.getInputProps("keyId")}
        />
      )}
      {has("trustEmail") && (
        <Switch
          label="Trust verified addresses"
          description="Only if the provider checks each address itself before it says email_verified."
          disabled={disabled}
          {...form.getInputProps("trustEmail", { type: "checkbox" })}
        />
      )}
      <Advanced form={form} preset={preset} disabled={disabled} />
    </>
  );
}

function Advanced({ form, preset, disabled = false }: Omit<Props, "hasSecret">) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <div>
      <UnstyledButton onClick={toggle} aria-expanded={opened} fz="sm" fw={550} mb={opened ? "sm" : 0}>
        {opened ? "Fewer settings" : `More settings: ${summaryOf(form.values)}`}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Stack>
          <Textarea
            label="Domains"
            description="Addresses of these domains sign in here and nowhere else, and the provider may assert no others. One per line."
            placeholder="example.com"
            autosize
            disabled={disabled}
            {...PLAIN}
            {...form.getInputProps("domains")}
          />
          <NativeSelect
            label="An account with the same verified address"
            data={[
              { value: "ask", label: "Connect it after the user has signed in to it once (default)" },
              { value: "verified", label: "Connect it at once" },
            ]}
            disabled={disabled}
            {...form.getInputProps("link")}
          />
          <Switch
            label="New users get an account"
            description="If sign-up is open on this server."
            disabled={disabled}
            {...form.getInputProps("signUp", { type: "checkbox" })}
          />
          <TextInput
            label="Scopes"
            description={`Empty: ${preset.scopes.join(" ")}.`}
            disabled={disabled}
            {...PLAIN}
            {...form.getInputProps("scopes")}
          />
          <Textarea
            label="Trusted levels"
            description="What an acr or amr value of the provider counts as, one per line. Without it, a sign-in here is as strong as a password."
            placeholder="mfa = urn:gatehouse:acr:mfa"
            autosize
            disabled={disabled}
            {...PLAIN}
            {...form.getInputProps("trustAcr")}
          />
          <NativeSelect
            label="Signing out"
            data={[
              { value: "off", label: "Ends the session here only (default)" },
              { value: "id_token_hint", label: "Offers to sign out of the provider too" },
              { value: "client_id", label: "The same, for a provider that refuses ID tokens" },
            ]}
            disabled={disabled}
            {...form.getInputProps("logout")}
          />
          <Switch
            label="Allow private network"
            description="The provider’s URLs may lead to private addresses."
            disabled={disabled}
            {...form.getInputProps("allowPrivateNetwork", { type: "checkbox" })}
          />
        </Stack>
      </Collapse>
    </div>
  );
}

function summaryOf({ domains, link, signUp }: ProviderValues): string {
  const bound = domains.trim() === "" ? "any domain" : `only ${domains.trim().split(/\s+/).join(", ")}`;
  return `${bound} · ${signUp ? "new users allowed" : "no new users"} · ${link === "ask" ? "connects after a sign-in" : "connects at once"}`;
}

/** The fields that show their own errors. */
export const FIELD_NAMES = ["name", "issuer", "clientId", "secret"] as const;
