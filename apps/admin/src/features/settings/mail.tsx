"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { TestMail } from "./test-mail.tsx";

/** Where mail goes, and whether it arrives. CO-69. */
export function MailSettings() {
  return (
    <>
      <SettingsFrame
        section="mail"
        description="Sign-up codes, reset links and security notices need a server that takes mail. Changes apply without a restart."
        actions={
          <Button component={Link} href="/mail" variant="default">
            Sent mail
          </Button>
        }
      />
      <SettingsForm section="mail">
        <TestMail />
      </SettingsForm>
    </>
  );
}
