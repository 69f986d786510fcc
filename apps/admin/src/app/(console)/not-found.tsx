"use client";

import { Button } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import Link from "next/link";
import { EmptyState } from "@/components/state.tsx";

export default function NotFound() {
  return (
    <EmptyState
      icon={<IconZoomQuestion size={26} />}
      title="There is no such page"
      action={
        <Button component={Link} href="/applications">
          To the applications
        </Button>
      }
    >
      The address may be mistyped, or what was here has been removed.
    </EmptyState>
  );
}
