import { Button } from "@mantine/core";
import { MessagePage } from "@/components/message-page.tsx";

export default function NotFound() {
  return (
    <MessagePage
      title="Page not found"
      actions={
        <Button component="a" href="/applications">
          Go to applications
        </Button>
      }
    >
      Check the URL, or the page may have been removed.
    </MessagePage>
  );
}
