"use client";

import { Badge, Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ConfigurationPlan } from "@/trpc/types.ts";
import styles from "./configuration.module.css";
import { KINDS } from "./kinds.ts";
import { showSecrets } from "./show-secrets.tsx";
import { valueText } from "./value-text.ts";

type Change = ConfigurationPlan["changes"][number];
/** `name`: of the file; undefined for one that was pasted. */
type Props = {
  plan: ConfigurationPlan;
  file: string;
  name: string | undefined;
  variables: Record<string, string>;
  done: () => void;
};

const ACTIONS: Record<Change["action"], { label: string; color: string }> = {
  create: { label: "Create", color: "teal" },
  update: { label: "Change", color: "indigo" },
  keep: { label: "Keep", color: "gray" },
};

const MOST_LISTED = 200;

/** What a file would change, field by field, what it does not mention, and the button that applies it. CO-72. */
export function PlanView({ plan, ...rest }: Props) {
  const changing = plan.changes.filter(({ action }) => action !== "keep");
  const kept = plan.changes.length - changing.length;
  return (
    <section aria-label="What changes" className={styles["plan"]}>
      <Text size="sm" fw={500} role="status">
        {summaryOf(changing, kept, plan.notInFile.length)}
      </Text>
      {changing.length > 0 && (
        <ul className={styles["changes"]}>
          {changing.map((change) => (
            <li key={`${change.kind} ${change.name} ${change.environment ?? ""}`}>
              <ChangeView change={change} />
            </li>
          ))}
        </ul>
      )}
      <RecordingNote recording={plan.recording} name={rest.name} />
      <ApplyPlan plan={plan} changing={changing.length} {...rest} />
    </section>
  );
}

function summaryOf(changing: readonly Change[], kept: number, notInFile: number): string {
  const created = changing.filter(({ action }) => action === "create").length;
  const parts = [
    `${created} to create`,
    `${changing.length - created} to change`,
    `${kept} to keep`,
    `${notInFile} not in the file`,
  ];
  return parts.join(", ");
}

function ChangeView({ change: { action, kind, name, environment, fields } }: { change: Change }) {
  const { label, color } = ACTIONS[action];
  return (
    <>
      <Group gap="xs">
        <Badge variant="light" color={color} radius="sm" tt="none">
          {label}
        </Badge>
        <Text size="sm">
          {KINDS[kind]} <bdi style={{ fontWeight: 500 }}>{name}</bdi>
          {environment && ` in ${ENVIRONMENTS[environment].label.toLowerCase()}`}
        </Text>
      </Group>
      {fields.length > 0 && (
        <dl className={styles["fields"]}>
          {fields.map(({ field, before, after }) => (
            <div key={field}>
              <dt>
                <code>{field}</code>
              </dt>
              <dd>
                {action === "update" && (
                  <>
                    <del>{valueText(before)}</del>
                    <span aria-hidden="true"> → </span>
                  </>
                )}
                <ins>{valueText(after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** What applying does besides changing settings. CO-73. */
function RecordingNote({
  recording: { locks, marks, releases },
  name = "a pasted file",
}: Pick<ConfigurationPlan, "recording"> & Pick<Props, "name">) {
  const parts = [
    ...(locks > 0 ? [`locks ${objects(locks)}`] : []),
    ...(marks > 0 ? [`marks ${objects(marks)} as managed by ${name}`] : []),
    ...(releases > 0 ? [`releases ${objects(releases)} that ${name} no longer lists`] : []),
  ];
  if (parts.length === 0) return null;
  return <Text size="sm">Applying also {new Intl.ListFormat("en").format(parts)}.</Text>;
}

const objects = (count: number) => (count === 1 ? "1 object" : `${count} objects`);

function ApplyPlan({ plan, file, name, variables, changing, done }: Props & { changing: number }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const [removing, setRemoving] = useState(false);
  const { notInFile, recording } = plan;
  const records = recording.locks + recording.marks + recording.releases > 0;
  const apply = useMutation(
    trpc.configuration.applyFile.mutationOptions({
      meta: { errorShownInForm: true },
      gcTime: 0,
      async onSuccess({ secrets, removed }) {
        dialog.close();
        done();
        toastChanged(removed === 0 ? "The file is applied." : `The file is applied, and ${removed} removed.`, {
          href: "/audit",
          label: "Audit log",
        });
        if (secrets.length > 0) showSecrets(secrets);
        await queries.invalidateQueries();
      },
    }),
  );
  if (changing === 0 && notInFile.length === 0 && !records) return null;
  const what = [
    ...(changing > 0 ? [changing === 1 ? "1 change" : `${changing} changes`] : []),
    ...(removing ? [`${notInFile.length} removals`] : []),
  ];
  const action = what.length > 0 ? `Apply ${what.join(" and ")}` : "Apply";
  return (
    <>
      {notInFile.length > 0 && (
        <Stack gap={6}>
          <Text size="sm">Not in the file, and kept unless you remove it:</Text>
          <ul className={styles["unlisted"]}>
            {notInFile.slice(0, MOST_LISTED).map(({ kind, name, environment, id }) => (
              <li key={`${kind} ${id}`}>
                {KINDS[kind]} <bdi>{name}</bdi>
                {environment && ` in ${ENVIRONMENTS[environment].label.toLowerCase()}`}
              </li>
            ))}
            {notInFile.length > MOST_LISTED && <li>and {notInFile.length - MOST_LISTED} more</li>}
          </ul>
          <Checkbox
            label="Remove what is not in the file"
            checked={removing}
            onChange={({ currentTarget }) => setRemoving(currentTarget.checked)}
          />
        </Stack>
      )}
      <Group>
        <Button
          color={removing ? "red" : "indigo"}
          disabled={what.length === 0 && !records}
          onClick={() => confirmed(dialog.open)}
        >
          Apply
        </Button>
      </Group>
      <Modal opened={opened} onClose={dialog.close} title="Apply this plan">
        <TypeToConfirm
          expected={removing ? String(notInFile.length) : undefined}
          label={`Type ${notInFile.length}, the number of what is removed, to confirm`}
          action={action}
          color={removing ? "red" : undefined}
          onConfirm={() =>
            apply.mutate({
              file,
              name,
              variables,
              planId: removing ? plan.id : plan.changesId,
              ...(removing && { prune: notInFile.length }),
            })
          }
          onCancel={dialog.close}
          pending={apply.isPending}
          error={apply.error}
        >
          <Text size="sm">
            It applies at once, in every environment that the file names, and each change is in the audit log. If
            something has changed since the plan was made, nothing is applied.
          </Text>
        </TypeToConfirm>
      </Modal>
    </>
  );
}
