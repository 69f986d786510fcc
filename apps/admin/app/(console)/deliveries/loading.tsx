import { PageHeader } from "../../../shell/page-header.tsx";
import { RowsSkeleton } from "../../../shell/state.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader title="Deliveries" />
      <RowsSkeleton rows={8} height={42} />
    </>
  );
}
