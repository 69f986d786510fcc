import { FAILURE_GROUP_FILTERS } from "@gatehouse/console/lists/lists";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { STATES } from "./states.ts";

/** The filters that groups and single refusals share. CO-46. */
export const FAILURE_FIELDS: readonly FilterField[] = [
  {
    kind: "choice",
    name: "state",
    label: "State",
    options: FAILURE_GROUP_FILTERS.state.values.map((value) => ({ value, label: STATES[value].label })),
  },
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
