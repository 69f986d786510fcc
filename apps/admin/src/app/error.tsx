"use client";

import { Button } from "@mantine/core";
import { MessagePage } from "@/components/message-page.tsx";

export default function RootError() {
  return (
    <MessagePage
      title="Something went wrong"
      actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
    >
      The Gatehouse server returned an unexpected response. Check that it is running, then try again.
    </MessagePage>
  );
}
