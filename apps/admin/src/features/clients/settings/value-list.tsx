import { Group } from "@mantine/core";

/** Values that are read, not edited. */
export function ValueList({ values }: { values: readonly string[] }) {
  if (values.length === 0) return "None";
  return (
    <Group gap={6}>
      {values.map((value) => (
        <code key={value} className="value">
          {value}
        </code>
      ))}
    </Group>
  );
}
