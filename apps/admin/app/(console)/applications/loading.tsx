import { PageHeader } from "../../../shell/page-header.tsx";
import { RowsSkeleton } from "../../../shell/state.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader title="Applications" />
      <RowsSkeleton rows={4} height={84} />
    </>
  );
}
