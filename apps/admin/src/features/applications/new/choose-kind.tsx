import { Anchor, Button, Group, Radio, SimpleGrid, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import { useMe } from "@/components/me.tsx";
import { type KindName, kindNames, kindOf } from "./kinds.ts";
import classes from "./new-application.module.css";

const ADMINS_REGISTER_APIS = "An MCP server is registered as an API, which only admins can do.";

type Props = { chosen: KindName; choose: (kind: KindName) => void; next: (kind: KindName | "empty") => void };

/** The first screen. */
export function ChooseKind({ chosen, choose, next }: Props) {
  const { user } = useMe();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    next(chosen);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Radio.Group
          label="What are you building?"
          description="This decides how it signs users in. You can add other clients to the application later."
          value={chosen}
          onChange={(value) => choose(kindNames.find((name) => name === value) ?? "web")}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="md">
            {kindNames.map((name) => {
              const { label, hint, icon: Icon } = kindOf(name);
              const denied = name === "mcp" && user.role !== "admin";
              return (
                <Radio.Card
                  key={name}
                  value={name}
                  disabled={denied}
                  aria-label={label}
                  className={classes["kind"] ?? ""}
                >
                  <Group wrap="nowrap" align="flex-start" gap="sm">
                    <Icon size={20} stroke={1.5} aria-hidden="true" className={classes["icon"]} />
                    <div>
                      <Text size="sm" fw={550}>
                        {label}
                      </Text>
                      <Text size="sm" c="dimmed">
                        {denied ? ADMINS_REGISTER_APIS : hint}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              );
            })}
          </SimpleGrid>
        </Radio.Group>
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={() => next("empty")}>
            Create it without a client
          </Anchor>
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}
