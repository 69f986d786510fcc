// One installation of Gatehouse: its settings, its secret, its open database, and what a start does to that before a
// server can use it.

export type { SpawnBackup } from "./backup/schedule.ts";
export { describeAdmin } from "./bootstrap.ts";
export { connectionsOf } from "./connections.ts";
export { consoleClientSecret, consoleCookieKey, consoleLink } from "./console-client.ts";
export { type Installation, openInstallation } from "./installation.ts";
export type { Log } from "./log.ts";
export { type Maintenance, startMaintenance } from "./maintenance.ts";
export { prepare } from "./prepare.ts";
export {
  assertNotMoved,
  FOLLOW_MAINTENANCE_MS,
  followMaintenance,
  MAINTENANCE,
  MOVED,
  type Move,
  maintenanceSince,
  setMaintenance,
} from "./read-only.ts";
export { requireSchema } from "./schema.ts";
export { type Rewrapped, rewrapSealedValues } from "./seal/rewrap.ts";
export { listServers } from "./seal/servers.ts";
export { type SealStatus, sealStatus } from "./seal/status.ts";
export {
  AnotherSecretError,
  acceptSecret,
  assertSecretInForce,
  findUnreadable,
  isSecretInForce,
  MissingSecretError,
  sealedWith,
  type Unreadable,
} from "./secret-in-force.ts";
export { serveHandlers } from "./serve-handlers.ts";
export { type DatabasePlace, databasePlace } from "./settings/database.ts";
export type { LiveSettings } from "./settings/live.ts";
export { type SettingOrigin, settingOrigins } from "./settings/origins.ts";
export { readSettings, type Settings } from "./settings/settings.ts";
export { settingNames } from "./settings/table.ts";
export type { TraceSettings } from "./settings/traces.ts";
export { describeUnknown, type UnknownVariable, unknownVariables } from "./settings/unknown.ts";
export { VERSION } from "./version.ts";
