"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** Who can create accounts and clients. CO-69. */
export function RegistrationSettings() {
  return (
    <>
      <SettingsFrame
        section="registration"
        description="Who gets an account, what a sign-in takes, and which clients can register themselves."
        actions={
          <Button component={Link} href="/self-registered" variant="default">
            Self-registered clients
          </Button>
        }
      />
      <SettingsForm section="registration" />
    </>
  );
}
