import { Group, Text, ThemeIcon, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import type { Finding } from "@/trpc/types.ts";

export const STATES = {
  ok: { label: "Fine", color: "teal", Icon: IconCheck },
  warning: { label: "Look at this", color: "yellow", Icon: IconAlertTriangle },
  failed: { label: "Failed", color: "red", Icon: IconX },
  skipped: { label: "Skipped", color: "gray", Icon: IconMinus },
} as const;

/** The findings of one part; what is wrong comes with what was seen and what to change. */
export function FindingList({ findings }: { findings: Finding[] }) {
  return (
    <ul className="findings">
      {findings.map((finding) => (
        <li key={finding.check} data-state={finding.state}>
          <FindingRow finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function FindingRow({ finding: { state, title, seen, sentence, mend } }: { finding: Finding }) {
  const { label, color, Icon } = STATES[state];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon size={22} radius="xl" variant="light" color={color} mt={1} aria-hidden="true">
        <Icon size={13} />
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={state === "ok" || state === "skipped" ? 400 : 600}>
          <VisuallyHidden>{label}: </VisuallyHidden>
          {title}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {mend !== null && <>Got {seen}. </>}
          {sentence}
        </Text>
        {mend !== null && (
          <Text size="sm" mt={2} style={{ overflowWrap: "anywhere" }}>
            <b>Fix:</b> {mend}
          </Text>
        )}
      </div>
    </Group>
  );
}
