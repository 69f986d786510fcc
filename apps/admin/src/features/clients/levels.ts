/** The levels of a sign-in that a client can demand, lowest first. */
export const LEVELS = [
  { value: "urn:gatehouse:acr:password", label: "Password or provider" },
  { value: "urn:gatehouse:acr:mfa", label: "Second factor" },
  { value: "urn:gatehouse:acr:phr", label: "Passkey" },
];
