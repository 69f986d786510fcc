"use client";

import type { Filters } from "@gatehouse/console/lists/filter";
import { Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { PageFrame } from "@/components/page-frame.tsx";
import { changeQuery, useFilters } from "@/components/use-filters.ts";
import { ChooseKind } from "./choose-kind.tsx";
import { Created } from "./created.tsx";
import { Details, type DetailsValues, NameOnly } from "./details.tsx";
import { type KindName, kindNames } from "./kinds.ts";

/** The screen that the URL shows: without a kind the first, with a client the last. */
const SCREEN = {
  kind: { kind: "choice", values: [...kindNames, "empty"] },
  client: { kind: "text", maxLength: 64 },
} as const satisfies Filters;

/**
 * Three screens: what are you building, its name and redirect URI, and how to connect it. Back keeps what was entered.
 * CO-20.
 */
export function NewApplication({ issuer }: { issuer: string }) {
  const { values, set } = useFilters(SCREEN);
  const [chosen, setChosen] = useState<KindName>("web");
  const form = useForm<DetailsValues>({
    initialValues: { name: "", description: "", framework: undefined, redirectUri: undefined, mcpServer: "" },
  });
  const { kind, client } = values;
  const back = () => set({ kind: "" }, { push: true });
  if (client !== undefined) return <Created clientId={client} issuer={issuer} />;
  return (
    <Stack maw={720} gap={0}>
      <PageFrame title="New application" crumbs={[{ label: "Applications", href: "/applications" }]} />
      {kind === undefined && (
        <ChooseKind chosen={chosen} choose={setChosen} next={(next) => set({ kind: next }, { push: true })} />
      )}
      {kind === "empty" && <NameOnly form={form} back={back} />}
      {kind !== undefined && kind !== "empty" && (
        // Replaces the entry: Back from the last screen must not lead to a form that creates the same again.
        <Details
          key={kind}
          kind={kind}
          form={form}
          created={(id, framework) => changeQuery({ kind: "", client: id, framework })}
          back={back}
        />
      )}
    </Stack>
  );
}
