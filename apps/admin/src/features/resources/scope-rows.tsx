import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ResourceValues } from "./resource-values.ts";

/** The server's limit. */
const MAX_SCOPES = 50;

type Props = {
  form: UseFormReturnType<ResourceValues>;
  readOnly: boolean;
  /** How many clients have each scope; undefined for a new resource. */
  usedBy: Readonly<Record<string, number>> | undefined;
};

/** The scopes of a resource: a name for clients, and the sentence that users read. */
export function ScopeRows({ form, readOnly, usedBy }: Props) {
  const { scopes } = form.getValues();
  return (
    <Stack gap="sm">
      {scopes.map(({ name }, row) => (
        <Group key={row} gap="xs" align="flex-start" wrap="wrap">
          <TextInput
            label={row === 0 ? "Scope" : `Scope ${row + 1}`}
            placeholder="stock:read"
            maxLength={100}
            readOnly={readOnly}
            spellCheck={false}
            style={{ flex: "1 1 11rem" }}
            {...form.getInputProps(`scopes.${row}.name`)}
          />
          <TextInput
            label={row === 0 ? "Sentence for users" : `Sentence for users ${row + 1}`}
            placeholder="see what is in stock"
            maxLength={200}
            readOnly={readOnly}
            style={{ flex: "2 1 16rem" }}
            {...form.getInputProps(`scopes.${row}.description`)}
          />
          <Text size="xs" c="dimmed" mt={30} w={110}>
            {usedBy && name !== "" && usedByText(usedBy[name] ?? 0)}
          </Text>
          {!readOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={25}
              aria-label={`Remove scope ${row + 1}`}
              onClick={() => form.removeListItem("scopes", row)}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {form.errors["scopes"] && (
        <Text size="xs" c="red" role="alert">
          {form.errors["scopes"]}
        </Text>
      )}
      {!readOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          disabled={scopes.length >= MAX_SCOPES}
          onClick={() => form.insertListItem("scopes", { name: "", description: "" })}
          style={{ alignSelf: "flex-start" }}
        >
          Add scope
        </Button>
      )}
    </Stack>
  );
}

const usedByText = (clients: number) => (clients === 1 ? "Used by 1 client" : `Used by ${clients} clients`);
