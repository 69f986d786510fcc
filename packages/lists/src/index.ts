export type { Filter, Filters, FilterValues, ListInput } from "./filter.ts";
export {
  APPLICATION_FILTERS,
  type ApplicationFilter,
  AUDIT_FILTERS,
  type AuditFilter,
  DELIVERY_FILTERS,
  type DeliveryFilter,
  FAILURE_GROUP_FILTERS,
  type FailureGroupFilter,
  MAIL_FILTERS,
  MAX_LISTED_SESSIONS,
  type MailFilter,
  REFUSAL_FILTERS,
  REMOVED_FILTERS,
  type RefusalFilter,
  type RemovedFilter,
  SELF_REGISTERED_FILTERS,
  SELF_REGISTERED_STATES,
  type SelfRegisteredFilter,
  type SelfRegisteredState,
  STATS_RANGES,
  type StatsRange,
  USER_FILTERS,
  type UserFilter,
} from "./lists.ts";
export { PAGE_SIZES, pageSizeFrom } from "./page-size.ts";
export { readFilters } from "./read-filters.ts";
