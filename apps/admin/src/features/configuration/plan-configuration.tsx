"use client";

import { Button, FileButton, Group, JsonInput, PasswordInput, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/form-error.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import styles from "@/features/settings/settings.module.css";
import { useTRPC } from "@/trpc/client.tsx";
import { PlanView } from "./plan-view.tsx";
import { variablesOf } from "./variables.ts";

const MAX_NAME = 200;

/** A file, the values that it takes from variables, and what applying it would change. CO-72. */
export function PlanConfiguration() {
  const trpc = useTRPC();
  const [file, setFile] = useState("");
  const [name, setName] = useState<string>();
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const plan = useMutation(trpc.configuration.plan.mutationOptions({ meta: { errorShownInForm: true } }));
  useUnsaved(file !== "" && !plan.isSuccess);
  const names = variablesOf(file);
  const variables = Object.fromEntries(names.map((name) => [name, given[name] ?? ""]));

  function edit(text: string): void {
    setFile(text);
    plan.reset();
  }
  async function choose(chosen: File | null): Promise<void> {
    if (!chosen) return;
    edit(await chosen.text());
    setName(chosen.name.slice(0, MAX_NAME));
  }
  function done(): void {
    setFile("");
    setName(undefined);
    setGiven({});
    plan.reset();
  }
  return (
    <section className={styles["section"]} aria-label="Plan">
      <div>
        <h2>Plan and apply</h2>
        <p>
          See field by field what a file would change. Nothing changes until you apply the plan, and then only if
          nothing has moved since.
        </p>
      </div>
      <Stack gap="md" maw={760} miw={0}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            plan.mutate({ file, name, variables });
          }}
        >
          <Stack gap="md">
            <JsonInput
              label="File"
              description={
                name === undefined ? "Paste the JSON, or choose a file." : `Its objects will be managed by ${name}.`
              }
              placeholder='{ "applications": [ … ] }'
              value={file}
              onChange={edit}
              autosize
              minRows={6}
              maxRows={18}
              spellCheck={false}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 } }}
            />
            {names.length > 0 && (
              <Stack gap="xs" role="group" aria-label="Values of variables">
                <Text size="sm" c="dimmed">
                  The file takes these from variables. Their values are used for this plan alone and not kept.
                </Text>
                {names.map((name) => (
                  <PasswordInput
                    key={name}
                    label={name}
                    autoComplete="off"
                    value={given[name] ?? ""}
                    onChange={({ currentTarget }) => {
                      const { value } = currentTarget;
                      setGiven((now) => ({ ...now, [name]: value }));
                      plan.reset();
                    }}
                  />
                ))}
              </Stack>
            )}
            <FormError error={plan.error} />
            <Group>
              <Button type="submit" loading={plan.isPending} disabled={file.trim() === ""}>
                Plan
              </Button>
              <FileButton accept="application/json,.json" onChange={(chosen) => void choose(chosen)}>
                {(props) => (
                  <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden="true" />}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
            </Group>
          </Stack>
        </form>
        {plan.data && <PlanView plan={plan.data} file={file} name={name} variables={variables} done={done} />}
      </Stack>
    </section>
  );
}
