// One installation of Gatehouse: its settings, its secret, and what has to be in its database before a server can use it.

export { type AdminOutcome, bootstrap, describeAdmin, type NewAdmin } from "./bootstrap.ts";
export { consoleClientSecret, consoleCookieKey } from "./console-client.ts";
export {
  AnotherSecretError,
  acceptSecret,
  assertSecretInForce,
  findUnreadable,
  isSecretInForce,
  sealedWith,
  type Unreadable,
} from "./secret-in-force.ts";
export { type DatabasePlace, databasePlace, readSettings, type Settings } from "./settings.ts";
