"use client";

import { Button, Group, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastChanged, toastFailed } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { FailureDecision, FailureGroup } from "@/trpc/types.ts";

const DAY = 86_400;
const MUTES = [
  { label: "for a day", seconds: DAY },
  { label: "for a week", seconds: 7 * DAY },
  { label: "for 90 days", seconds: 90 * DAY - 60 },
];
const SAID: Record<FailureDecision["kind"], string> = {
  open: "Opened. The group is in the default view again.",
  resolved: "Resolved. If it returns, it is marked as regressed.",
  muted: "Muted. The group is hidden until then, and still counted.",
};

/** Resolves, mutes or opens a group. */
export function Decide({ group }: { group: FailureGroup }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { can } = useMe();
  const decide = useMutation(
    trpc.refusals.decide.mutationOptions({
      onSuccess(_, { decision }) {
        void queryClient.invalidateQueries({ queryKey: trpc.refusals.pathKey() });
        toastChanged(SAID[decision.kind]);
      },
      onError: (error) => toastFailed(error),
    }),
  );
  const apply = (decision: FailureDecision) => decide.mutate({ key: group.key, decision });
  const reason =
    group.client?.environment === "production" && !can.manageProduction
      ? "Only admins can manage production."
      : undefined;
  const quiet = group.state === "muted" || group.state === "resolved";
  return (
    <Group gap="sm">
      {quiet ? (
        <Permitted reason={reason}>
          <Button size="xs" variant="default" loading={decide.isPending} onClick={() => apply({ kind: "open" })}>
            Reopen
          </Button>
        </Permitted>
      ) : (
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <Permitted reason={reason}>
                <Button size="xs" variant="default" disabled={decide.isPending}>
                  Mute
                </Button>
              </Permitted>
            </Menu.Target>
            <Menu.Dropdown>
              {MUTES.map(({ label, seconds }) => (
                <Menu.Item
                  key={label}
                  onClick={() => apply({ kind: "muted", until: Math.floor(Date.now() / 1000) + seconds })}
                >
                  Mute {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Permitted reason={reason}>
            <Button size="xs" loading={decide.isPending} onClick={() => apply({ kind: "resolved" })}>
              Resolve
            </Button>
          </Permitted>
        </>
      )}
    </Group>
  );
}
