import { Group, Text, ThemeIcon, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import type { Finding } from "@/trpc/types.ts";

const STATES = {
  ok: { label: "Fine", color: "teal", Icon: IconCheck },
  warning: { label: "Look at this", color: "yellow", Icon: IconAlertTriangle },
  failed: { label: "Failed", color: "red", Icon: IconX },
  skipped: { label: "Skipped", color: "gray", Icon: IconMinus },
} as const;

const isProblem = ({ state }: Finding) => state === "failed" || state === "warning";

/** The findings of one part: what is wrong, with what was seen and what to change, and the rest on demand. */
export function FindingList({ findings }: { findings: Finding[] }) {
  const problems = findings.filter(isProblem);
  const others = findings.filter((finding) => !isProblem(finding));
  return (
    <>
      {problems.length > 0 && <Rows findings={problems} />}
      {others.length > 0 && (
        <details className="passed" data-below={problems.length > 0}>
          <summary>{describe(others)}</summary>
          <Rows findings={others} />
        </details>
      )}
    </>
  );
}

/** "8 checks passed, 1 does not apply". */
function describe(findings: Finding[]): string {
  const passed = findings.filter(({ state }) => state === "ok").length;
  const skipped = findings.length - passed;
  const words = `${passed} ${passed === 1 ? "check" : "checks"} passed`;
  return skipped === 0 ? words : `${words}, ${skipped} ${skipped === 1 ? "does" : "do"} not apply`;
}

function Rows({ findings }: { findings: Finding[] }) {
  return (
    <ul className="findings">
      {findings.map((finding) => (
        <li key={finding.check}>
          <FindingRow finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function FindingRow({ finding: { state, title, seen, sentence, fix } }: { finding: Finding }) {
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
          {fix !== null && <>Got {seen}. </>}
          {sentence}
        </Text>
        {fix !== null && (
          <Text size="sm" mt={2} style={{ overflowWrap: "anywhere" }}>
            <b>Fix:</b> {fix}
          </Text>
        )}
      </div>
    </Group>
  );
}
