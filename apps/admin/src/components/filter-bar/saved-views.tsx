"use client";

import { ActionIcon, Anchor, Badge, Button, Group, Popover, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTRPC } from "@/trpc/client.tsx";
import type { SavedView } from "@/trpc/types.ts";
import { useMe } from "../me.tsx";
import { onDemand } from "../on-demand.tsx";
import { LoadError, RowsSkeleton } from "../state.tsx";

const SaveView = onDemand(() => import("./save-view.tsx").then((module) => module.SaveView));

/** The named views of a list, the user's own and shared ones. They are loaded when the menu opens. CO-81. */
export function SavedViews() {
  const [opened, menu] = useDisclosure();
  const [saving, dialog] = useDisclosure();
  const { can } = useMe();
  return (
    <>
      <Popover
        opened={opened}
        onChange={(next) => !next && menu.close()}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
        width={300}
      >
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="default"
            fz={13}
            fw={500}
            leftSection={<IconBookmark size={14} aria-hidden="true" />}
            onClick={menu.toggle}
          >
            Views
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Saved views" p="xs">
          <Stack gap="xs">
            {opened && <Views close={menu.close} />}
            {can.manageDevelopment && (
              <Button
                size="compact-sm"
                variant="light"
                onClick={() => {
                  menu.close();
                  dialog.open();
                }}
              >
                Save this view
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <SaveView opened={saving} close={dialog.close} />
    </>
  );
}

function Views({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const list = usePathname();
  const views = useQuery(trpc.savedViews.list.queryOptions({ list }));
  if (views.isError) return <LoadError error={views.error} retry={views.refetch} />;
  if (views.data === undefined) return <RowsSkeleton rows={2} height={24} />;
  if (views.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        A view keeps the filters of this list under a name. There are none yet.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap={2} p={0} m={0} mah={280} style={{ listStyle: "none", overflowY: "auto" }}>
      {views.data.map((view) => (
        <ViewRow key={view.id} view={view} list={list} close={close} />
      ))}
    </Stack>
  );
}

function ViewRow({
  view: { id, name, query, shared, own },
  list,
  close,
}: {
  view: SavedView;
  list: string;
  close: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { can } = useMe();
  const remove = useMutation(
    trpc.savedViews.remove.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.savedViews.pathFilter()),
    }),
  );
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="xs" mih={30}>
      <Anchor component={Link} href={`${list}?${query}`} size="sm" onClick={close} style={{ overflowWrap: "anywhere" }}>
        <bdi>{name}</bdi>
      </Anchor>
      <Group gap={4} wrap="nowrap">
        {shared && (
          <Badge size="xs" variant="light" color="gray" tt="none">
            Shared
          </Badge>
        )}
        {(own || (shared && can.manageProduction)) && (
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={`Remove view ${name}`}
            loading={remove.isPending}
            onClick={() => remove.mutate({ id })}
          >
            <IconTrash size={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
    </Group>
  );
}
