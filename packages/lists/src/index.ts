export type { Filter, Filters, FilterValues, ListInput } from "./filter.ts";
export {
  APPLICATION_FILTERS,
  type ApplicationFilter,
  DELIVERY_FILTERS,
  type DeliveryFilter,
  MAX_LISTED_SESSIONS,
  REFUSAL_FILTERS,
  type RefusalFilter,
  STATS_RANGES,
  type StatsRange,
  USER_FILTERS,
  type UserFilter,
} from "./lists.ts";
export { readFilters } from "./read-filters.ts";
