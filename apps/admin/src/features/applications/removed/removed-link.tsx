"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";

/** At the foot of the list of applications. */
export function RemovedLink() {
  return (
    <Text size="sm" mt="lg">
      <Anchor component={Link} href="/applications/removed" size="sm">
        Removed applications and clients
      </Anchor>
    </Text>
  );
}
