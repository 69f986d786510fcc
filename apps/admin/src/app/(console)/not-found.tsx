"use client";

import { Button } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import Link from "next/link";
import { EmptyState } from "@/components/state.tsx";

export default function NotFound() {
  return (
    <EmptyState
      icon={<IconZoomQuestion size={26} />}
      title="Page not found"
      action={
        <Button component={Link} href="/applications">
          Go to applications
        </Button>
      }
    >
      Check the URL, or the page may have been removed.
    </EmptyState>
  );
}
