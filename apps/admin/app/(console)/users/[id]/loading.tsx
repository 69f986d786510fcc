import { Skeleton } from "@mantine/core";
import { RowsSkeleton } from "../../../../shell/state.tsx";

export default function Loading() {
  return (
    <>
      <Skeleton height={34} width={280} mb="xl" />
      <RowsSkeleton rows={3} height={180} />
    </>
  );
}
