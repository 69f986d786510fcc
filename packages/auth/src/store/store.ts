import type { AccessTokenStore } from "./access-tokens.ts";
import type { ResourceStore } from "./api-resources.ts";
import type { ClientStore } from "./clients.ts";
import type { CodeStore } from "./codes.ts";
import type { ConsentStore } from "./consents.ts";
import type { DeviceCodeStore } from "./device-codes.ts";
import type { EnrolmentStore } from "./enrolment.ts";
import type { GrantStore } from "./grants.ts";
import type { PushedRequestStore } from "./pushed-requests.ts";
import type { RefreshFamilyStore } from "./refresh-families.ts";
import type { RefusalStore } from "./refusals.ts";
import type { RegistrationStore } from "./registrations.ts";
import type { ReplayStore } from "./replays.ts";
import type { SessionStore } from "./sessions.ts";
import type { SigningKeyStore } from "./signing-keys.ts";

/**
 * Everything the protocol stores, one file per concept. Times are Unix seconds; scopes are space-separated, as on the
 * wire. Methods reject with `StoreUnavailable` when the database cannot serve the call now.
 */
export type Store = ClientStore &
  RegistrationStore &
  GrantStore &
  CodeStore &
  AccessTokenStore &
  RefreshFamilyStore &
  DeviceCodeStore &
  ConsentStore &
  SessionStore &
  EnrolmentStore &
  RefusalStore &
  ResourceStore &
  SigningKeyStore &
  PushedRequestStore &
  ReplayStore;
