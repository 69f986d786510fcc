import { Alert, Code, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";

/** On every page of a demo, whose server refuses every change. */
export function DemoNotice() {
  return (
    <Alert variant="light" icon={<IconInfoCircle aria-hidden="true" />} py="xs" mb="md">
      <Text size="sm">
        This is a demo: its people, clients and events are made up, and nothing can be changed. <Code>npm start</Code>{" "}
        gives you an installation of your own.
      </Text>
    </Alert>
  );
}
