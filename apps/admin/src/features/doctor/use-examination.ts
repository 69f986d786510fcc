import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { Finding } from "@/trpc/types.ts";

/** One part of an examination: the server (`endpoint` is null) or an endpoint. */
export type Part = { endpoint: string | null } & (
  | { state: "waiting" | "running" }
  | { state: "done"; findings: Finding[] }
  | { state: "error"; message: string }
);

/** Examines the server and then each endpoint, one after the other. `parts` is undefined before the first run. */
export function useExamination() {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.doctor.examine.mutationOptions({ meta: { errorShownInForm: true } }));
  const [parts, setParts] = useState<Part[]>();
  const [running, setRunning] = useState(false);

  async function run(endpoints: readonly string[]): Promise<void> {
    const targets = [null, ...endpoints];
    const show = (at: number, part: Part) =>
      setParts((before) => before?.map((one, index) => (index === at ? part : one)));
    setRunning(true);
    setParts(targets.map((endpoint) => ({ endpoint, state: "waiting" })));
    for (const [at, endpoint] of targets.entries()) {
      show(at, { endpoint, state: "running" });
      try {
        show(at, { endpoint, state: "done", findings: await mutateAsync({ endpoint }) });
      } catch (error) {
        show(at, { endpoint, state: "error", message: messageOf(error) });
      }
    }
    setRunning(false);
  }

  return { parts, running, run };
}
