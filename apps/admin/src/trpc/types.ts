import type { RouterOutputs } from "@gatehouse/api/types";

export type Me = RouterOutputs["me"]["get"];
export type ApplicationItem = RouterOutputs["applications"]["list"]["items"][number];
export type Application = RouterOutputs["applications"]["get"];
export type ClientView = Application["clients"][number];
export type Environment = ClientView["environment"];
export type ClientType = ClientView["type"];
export type GrantType = ClientView["grantTypes"][number];
/** The settings of a client that can change after registration. */
export type ClientSettings = Pick<
  ClientView,
  "redirectUris" | "postLogoutRedirectUris" | "grantTypes" | "scopes" | "firstParty" | "resourceServer" | "refreshRetrySeconds"
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
export type ExportPage = RouterOutputs["deliveries"]["exportPage"];
export type Rerun = RouterOutputs["deliveries"]["rerunProgress"];
export type DeliveryStats = RouterOutputs["deliveries"]["stats"];
export type WebhookEndpoint = RouterOutputs["webhookEndpoints"]["get"];
export type WebhookProvider = RouterOutputs["webhookEndpoints"]["providers"][number];
export type WebhookSettingsField = WebhookProvider["settingsFields"][number];
export type WebhookSecret = RouterOutputs["webhookSecrets"]["list"][number];
export type User = RouterOutputs["users"]["get"];
export type Role = User["role"];
export type Session = RouterOutputs["sessions"]["list"][number];
export type Finding = RouterOutputs["doctor"]["examine"][number];
