import { Button } from "@mantine/core";
import { Standalone } from "@/components/standalone.tsx";

export default function NotFound() {
  return (
    <Standalone
      title="There is no such page"
      actions={
        <Button component="a" href="/applications">
          To the applications
        </Button>
      }
    >
      The address may be mistyped, or what was here has been removed.
    </Standalone>
  );
}
