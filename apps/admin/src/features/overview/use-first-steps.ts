"use client";

import { useLocalStorage, useMounted } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { changeQuery } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { FirstStep } from "@/trpc/types.ts";

const POLL_MS = 10_000;
const NONE: readonly FirstStep[] = [];

/**
 * The steps of a new installation. `open`: show them. `isNew`: show them instead of the charts, because no client ever
 * got a token. Dismissed steps stay away in this browser until `?getting-started=1` asks for them. CO-15.
 */
export function useFirstSteps() {
  const trpc = useTRPC();
  const mounted = useMounted();
  const asked = useSearchParams().get("getting-started") !== null;
  const [dismissed, setDismissed] = useLocalStorage({
    key: "gatehouse.getting-started-dismissed",
    defaultValue: false,
  });
  const { data: steps = NONE } = useQuery({
    ...trpc.overview.firstSteps.queryOptions(),
    enabled: !mounted || asked || !dismissed,
    refetchInterval: ({ state }) => (state.data?.every(({ done }) => done) ? false : POLL_MS),
  });
  const open = steps.length > 0 && (asked || (!(mounted && dismissed) && steps.some(({ done }) => !done)));
  const isNew = open && !asked && steps.some(({ step, done }) => step === "first_token" && !done);
  return {
    open,
    isNew,
    brief: !isNew && !asked,
    steps,
    dismiss() {
      setDismissed(true);
      changeQuery({ "getting-started": "" });
    },
  };
}
