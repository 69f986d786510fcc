import { FAILURE_GROUP_FILTERS } from "@gatehouse/lists";
import type { FilterField } from "@/components/filter-bar/fields.ts";

/** The filters that groups and single refusals share. */
export const CAUSE_FIELDS: readonly FilterField[] = [
  {
    kind: "choice",
    name: "cause",
    label: "Cause",
    options: FAILURE_GROUP_FILTERS.cause.values.map((value) => ({ value, label: value.replaceAll("_", " ") })),
  },
  { kind: "text", name: "clientId", label: "Client", maxLength: FAILURE_GROUP_FILTERS.clientId.maxLength },
  { kind: "text", name: "endpoint", label: "Endpoint", maxLength: FAILURE_GROUP_FILTERS.endpoint.maxLength },
  { kind: "instant", name: "from", label: "From" },
  { kind: "instant", name: "to", label: "To" },
];
