/** Completes "This will allow it to …", by scope. Scopes of registered APIs and of the product have their own descriptions. */
export const scopes = {
  openid: "confirm who you are",
  profile: "see your name",
  email: "see your email address",
  address: "see your postal address",
  phone: "see your phone number",
  offline_access: "keep access while you are away",
  "api:read": "read your data through the API",
  "api:write": "change your data through the API",
  "account:read": "see where you are signed in and which apps have access",
  "account:write": "sign you out elsewhere and remove the access of apps",
};
