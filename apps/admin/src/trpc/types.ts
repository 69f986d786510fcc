import type { RouterInputs, RouterOutputs } from "@gatehouse/console/types";

export type Me = RouterOutputs["me"]["get"];
export type ApiToken = RouterOutputs["apiTokens"]["list"]["tokens"][number];
export type Previews = RouterOutputs["previews"]["list"];
export type PreviewSlot = Previews["live"][number];
export type ApiTokenScope = RouterOutputs["apiTokens"]["list"]["scopes"][number];
export type ApiResource = RouterOutputs["resources"]["list"][number];
export type ResourceUsage = RouterOutputs["resources"]["usage"];
export type SelfRegisteredClient = RouterOutputs["selfRegistered"]["list"]["items"][number];
export type SelfRegisteredDetail = RouterOutputs["selfRegistered"]["get"];
export type SelfRegisteredGroup = RouterOutputs["selfRegistered"]["groups"][number];
export type ClientBlock = RouterOutputs["clientBlocks"]["list"][number];
export type RegistrationToken = RouterOutputs["registrationTokens"]["list"][number];
export type KeyView = RouterOutputs["keys"]["list"]["keys"][number];
export type ConfigurationPlan = RouterOutputs["configuration"]["plan"];
export type Drift = RouterOutputs["configuration"]["drift"]["drift"][number];
export type ManagedKind = Drift["kind"];
/** Which file manages an object. */
export type Managed = NonNullable<ApiResource["managed"]>;
export type GeneratedSecret = RouterOutputs["configuration"]["applyFile"]["secrets"][number];
export type SettingView = RouterOutputs["settings"]["list"]["settings"][number];
export type LookupMatch = RouterOutputs["lookup"]["find"][number];
export type ApplicationItem = RouterOutputs["applications"]["list"]["items"][number];
export type Application = RouterOutputs["applications"]["get"];
export type Removed = RouterOutputs["removed"]["list"]["items"][number];
export type Restored = RouterOutputs["removed"]["restore"];
export type SignIn = RouterOutputs["signIns"]["list"]["items"][number];
export type SignInCause = NonNullable<SignIn["cause"]>;
export type AuditEntry = RouterOutputs["audit"]["list"]["items"][number];
export type AuditVerification = RouterOutputs["audit"]["verify"];
export type Branding = RouterOutputs["branding"]["get"];
export type ClientView = Application["clients"][number];
export type ClientUse = RouterOutputs["clients"]["use"];
export type ClientSecret = RouterOutputs["clients"]["secrets"][number];
/** Which client of which application, in which environment. */
export type ClientPlace = Pick<ClientView, "applicationId" | "name" | "environment">;
/** A change that takes something away from a client. */
export type ClientChange = RouterInputs["clients"]["impact"]["change"];
export type ClientImpact = RouterOutputs["clients"]["impact"];
export type Environment = ClientView["environment"];
export type ClientType = ClientView["type"];
export type GrantType = ClientView["grantTypes"][number];
/** The settings of a client that can change after registration. */
export type ClientSettings = Pick<
  ClientView,
  | "redirectUris"
  | "postLogoutRedirectUris"
  | "grantTypes"
  | "scopes"
  | "firstParty"
  | "resourceServer"
  | "refreshRetrySeconds"
  | "options"
>;
export type Scope = RouterOutputs["scopes"]["list"][number];
export type PromotionDiff = RouterOutputs["clients"]["comparePromotion"];
export type DeliveryPage = RouterOutputs["deliveries"]["list"];
export type DeliveryItem = RouterOutputs["deliveries"]["list"]["items"][number];
export type Delivery = RouterOutputs["deliveries"]["get"];
export type DeliveryAttempts = RouterOutputs["deliveries"]["attempts"];
export type DeliveryDiagnosis = RouterOutputs["deliveries"]["diagnose"];
export type RelatedDelivery = RouterOutputs["deliveries"]["related"]["deliveries"][number];
export type DeliveryReason = DeliveryItem["reason"];
export type DeliveryOutcome = DeliveryItem["outcome"];
export type HandlerState = NonNullable<DeliveryItem["handlerState"]>;
export type ExportedUser = RouterOutputs["users"]["exportPage"]["items"][number];
export type Rerun = RouterOutputs["deliveries"]["rerunProgress"];
export type Overview = RouterOutputs["overview"]["get"];
export type Attention = RouterOutputs["overview"]["attention"];
export type EndingSecret = Overview["endingSoon"][number];
export type FirstStep = RouterOutputs["overview"]["firstSteps"][number];
export type DeliveryStats = RouterOutputs["deliveries"]["stats"];
export type WebhookEndpoint = RouterOutputs["webhookEndpoints"]["get"];
export type WebhookProvider = RouterOutputs["webhookEndpoints"]["providers"][number];
export type TestEventResult = RouterOutputs["webhookEndpoints"]["sendTestEvent"];
export type WebhookSettingsField = WebhookProvider["settingsFields"][number];
export type WebhookSecret = RouterOutputs["webhookSecrets"]["list"][number];
export type SignInProvider = RouterOutputs["signInProviders"]["get"];
export type SignInPreset = RouterOutputs["signInProviders"]["presets"][number];
export type SignInTestResult = RouterOutputs["signInProviders"]["finishTest"];
export type MailStatus = RouterOutputs["mails"]["status"];
export type MailItem = RouterOutputs["mails"]["list"]["items"][number];
export type User = RouterOutputs["users"]["get"];
export type UserSecurity = RouterOutputs["users"]["security"];
export type UserHistoryEntry = RouterOutputs["users"]["history"]["items"][number];
export type ConnectedApp = RouterOutputs["users"]["connectedApps"][number];
export type UserEvent = RouterOutputs["users"]["events"]["items"][number];
export type InvitationItem = RouterOutputs["invitations"]["list"]["items"][number];
export type InvitationSent = RouterOutputs["invitations"]["create"];
export type Role = User["role"];
export type Session = RouterOutputs["sessions"]["list"][number];
export type Status = RouterOutputs["status"]["get"];
export type StatusItem = Status["items"][number];
export type Finding = RouterOutputs["doctor"]["examine"][number];
export type Refusal = RouterOutputs["refusals"]["list"]["items"][number];
export type Failure = RouterOutputs["refusals"]["one"];
export type Fix = NonNullable<Failure["fix"]>;
export type UriComparison = NonNullable<Failure["uri"]>["comparison"];
export type UriDifferenceKind = UriComparison["differences"][number]["kind"];
export type FailureGroup = RouterOutputs["refusals"]["group"];
export type FailureDecision = RouterInputs["refusals"]["decide"]["decision"];
export type UriVerdict = RouterOutputs["clients"]["checkRedirectUri"];
export type TestedUri = RouterOutputs["clients"]["testRedirectUri"];
export type SavedView = RouterOutputs["savedViews"]["list"][number];
export type TryTrace = RouterOutputs["try"]["step"]["traces"][number];
export type TryResult = RouterOutputs["try"]["step"];
export type TryCallback = Extract<RouterInputs["try"]["step"]["step"], { kind: "exchange" }>["callback"];
export type TryKind = RouterInputs["try"]["start"]["kind"];
