"use client";

import { Badge, Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { visibleText } from "@/components/code/visible-text.ts";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ConfigurationPlan } from "@/trpc/types.ts";
import styles from "./configuration.module.css";
import { showSecrets } from "./show-secrets.tsx";

type Change = ConfigurationPlan["changes"][number];
type Props = { plan: ConfigurationPlan; file: string; variables: Record<string, string>; done: () => void };

const KINDS: Record<Change["kind"], string> = {
  ...{ resource: "API", user: "User", application: "Application", client: "Client" },
  ...{ webhook_endpoint: "Webhook endpoint", sign_in_provider: "Sign-in provider" },
};
const ACTIONS: Record<Change["action"], { label: string; color: string }> = {
  create: { label: "Create", color: "teal" },
  update: { label: "Change", color: "indigo" },
  keep: { label: "Keep", color: "gray" },
};

const MOST_LISTED = 200;

/** What a file would change, field by field, what it does not mention, and the button that applies it. CO-72. */
export function PlanView({ plan, file, variables, done }: Props) {
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
      <ApplyPlan plan={plan} file={file} variables={variables} changing={changing.length} done={done} />
    </section>
  );
}

function summaryOf(changing: readonly Change[], kept: number, notInFile: number): string {
  const created = changing.filter(({ action }) => action === "create").length;
  const parts = [`${created} to create`, `${changing.length - created} to change`, `${kept} to keep`, `${notInFile} not in the file`];
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

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  return visibleText(typeof value === "string" ? value : JSON.stringify(value));
}

function ApplyPlan({ plan, file, variables, changing, done }: Props & { changing: number }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const [removing, setRemoving] = useState(false);
  const { notInFile } = plan;
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
  if (changing === 0 && notInFile.length === 0) return null;
  const what = [
    ...(changing > 0 ? [changing === 1 ? "1 change" : `${changing} changes`] : []),
    ...(removing ? [`${notInFile.length} removals`] : []),
  ];
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
        <Button color={removing ? "red" : "indigo"} disabled={what.length === 0} onClick={() => confirmed(dialog.open)}>
          Apply
        </Button>
      </Group>
      <Modal opened={opened} onClose={dialog.close} title="Apply this plan">
        <TypeToConfirm
          expected={removing ? String(notInFile.length) : undefined}
          label={`Type ${notInFile.length}, the number of what is removed, to confirm`}
          action={`Apply ${what.join(" and ")}`}
          color={removing ? "red" : undefined}
          onConfirm={() =>
            apply.mutate({ file, variables, planId: removing ? plan.id : plan.changesId, ...(removing && { prune: notInFile.length }) })
          }
          onCancel={dialog.close}
          pending={apply.isPending}
          error={apply.error}
        >
          <Text size="sm">
            It applies at once, in every environment that the file names, and each change is in the audit log. If something has changed
            since the plan was made, nothing is applied.
          </Text>
        </TypeToConfirm>
      </Modal>
    </>
  );
}
