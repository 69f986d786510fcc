"use client";

import { Button, Group, Input, NativeSelect, PasswordInput, Text, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import styles from "./settings.module.css";
import { keepsPassword, readSmtpUrl, type SmtpFields, smtpUrlOf, withEncryption } from "./smtp-url.ts";

type Props = {
  label: string;
  description: string;
  error: ReactNode;
  /** What is saved, without its password. */
  saved: string;
  value: string;
  onChange: (value: string) => void;
};

const ENCRYPTIONS = [
  { value: "starttls", label: "STARTTLS (usually port 587)" },
  { value: "tls", label: "TLS from the start (usually port 465)" },
];

/** The fields of an SMTP server. Its password is written, never read. */
export function SmtpServerControl({ label, description, error, saved, value, onChange }: Props) {
  const errorId = useId();
  const [draft, setDraft] = useState(() => readSmtpUrl(value));
  // Discarding and saving change the value from outside.
  const fields = smtpUrlOf(draft) === value ? draft : readSmtpUrl(value);
  const kept = fields.password === "" && keepsPassword(readSmtpUrl(saved), fields);
  const missing = fields.user !== "" && fields.password === "" && !kept;

  function set(next: SmtpFields): void {
    setDraft(next);
    onChange(smtpUrlOf(next));
  }
  const change = (changed: Partial<SmtpFields>) => set({ ...fields, ...changed });
  const changeHost = (host: string) => set(/^smtps?:\/\//.test(host) ? readSmtpUrl(host) : { ...fields, host });
  const invalid = error ? { error: true, "aria-describedby": errorId } : {};
  return (
    <fieldset className={styles["server"]}>
      <legend>{label}</legend>
      <Text size="xs" c="dimmed" mb="sm">
        {description}
      </Text>
      <div className={styles["serverFields"]}>
        <TextInput
          label="Host"
          placeholder="smtp.example.com"
          value={fields.host}
          spellCheck={false}
          autoComplete="off"
          maxLength={1_000}
          onChange={(event) => changeHost(event.currentTarget.value)}
          {...(missing ? {} : invalid)}
        />
        <TextInput
          label="Port"
          inputMode="numeric"
          value={fields.port}
          disabled={fields.host === ""}
          maxLength={5}
          onChange={(event) => change({ port: event.currentTarget.value.replace(/\D/g, "") })}
        />
        <NativeSelect
          label="Encryption"
          data={ENCRYPTIONS}
          value={fields.encryption}
          disabled={fields.host === ""}
          onChange={(event) => set(withEncryption(fields, event.currentTarget.value === "tls" ? "tls" : "starttls"))}
        />
        <TextInput
          label="User"
          placeholder="None"
          value={fields.user}
          disabled={fields.host === ""}
          spellCheck={false}
          autoComplete="off"
          maxLength={255}
          onChange={(event) => change({ user: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          placeholder={kept ? "Unchanged" : ""}
          description={missing && saved !== "" ? "The saved password stays with its own server and user." : undefined}
          value={fields.password}
          disabled={fields.user === ""}
          autoComplete="new-password"
          maxLength={1_000}
          onChange={(event) => change({ password: event.currentTarget.value })}
          {...(missing ? invalid : {})}
        />
      </div>
      {error && (
        <Input.Error id={errorId} mt="xs">
          {error}
        </Input.Error>
      )}
      {value !== "" && (
        <Group mt="sm">
          <Button size="compact-sm" variant="default" onClick={() => set(readSmtpUrl(""))}>
            Remove this server
          </Button>
        </Group>
      )}
    </fieldset>
  );
}
