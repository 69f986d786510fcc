"use client";

import { Modal } from "@mantine/core";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { RowsSkeleton } from "@/components/state.tsx";
import { changeQuery } from "@/components/use-filters.ts";

const Run = dynamic(() => import("./rerun-run.tsx").then((module) => module.Run), {
  ssr: false,
  loading: () => <RowsSkeleton rows={2} height={32} />,
});

/**
 * The progress of the run that `?rerun=` names; `finished` is called when it is over. Closing it does not stop the run.
 */
export function RerunProgress({ finished }: { finished: () => void }) {
  const rerunId = useSearchParams().get("rerun");
  const close = () => changeQuery({ rerun: "" });
  return (
    <Modal opened={rerunId !== null} onClose={close} title="Run handlers again" size="lg">
      {rerunId !== null && <Run rerunId={rerunId} finished={finished} close={close} />}
    </Modal>
  );
}
