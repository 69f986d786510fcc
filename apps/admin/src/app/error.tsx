"use client";

import { Button } from "@mantine/core";
import { Standalone } from "@/components/standalone.tsx";

export default function RootError() {
  return (
    <Standalone title="The console could not start this page" actions={<Button onClick={() => window.location.reload()}>Try again</Button>}>
      The Gatehouse server did not answer as expected. Check that it is running, then try again.
    </Standalone>
  );
}
