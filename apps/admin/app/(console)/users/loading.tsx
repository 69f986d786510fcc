import { PageHeader } from "../../../shell/page-header.tsx";
import { RowsSkeleton } from "../../../shell/state.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader title="Users" />
      <RowsSkeleton rows={6} height={48} />
    </>
  );
}
