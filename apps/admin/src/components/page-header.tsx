import { Anchor, Box, Group, Text, Title } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import Link from "next/link";
import type { ReactNode } from "react";

type Props = { title: string; description?: ReactNode; back?: { href: string; label: string }; action?: ReactNode };

/** A page's title, description, back link and main action. */
export function PageHeader({ title, description, back, action }: Props) {
  return (
    <Box component="header" mb="lg">
      {back && (
        <Anchor component={Link} href={back.href} size="sm" mb={6} display="inline-flex" style={{ alignItems: "center", gap: 2 }}>
          <IconChevronLeft size={14} aria-hidden="true" /> {back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="md">
        <Box style={{ flex: "1 1 18rem", minWidth: 0 }}>
          <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" mt={4} maw={680} style={{ overflowWrap: "anywhere", textWrap: "pretty" }}>
              {description}
            </Text>
          )}
        </Box>
        {action}
      </Group>
    </Box>
  );
}
