export { foldEmail, normaliseDomain, normaliseEmail } from "./addresses/email-address.ts";
export { brandingProblems } from "./branding/rules.ts";
export type { AccountDeps } from "./deps.ts";
export {
  type EmailSignIn,
  openSignInLink,
  redeemSignInCode,
  redeemSignInLink,
  type SignInLink,
} from "./email-sign-in/redeem.ts";
export { type CodeRequest, requestSignInCode } from "./email-sign-in/request-code.ts";
export { type AccountEvent, type AccountEventDetail, accountEvent, type EventSource } from "./events/account-event.ts";
export { ACCOUNT_EVENT_KINDS, type AccountEventKind } from "./events/kinds.ts";
export { type Ends, WHAT_ENDS } from "./events/what-ends.ts";
export { confirmAtProvider, confirmSession, describeConfirmation } from "./fresh-sign-in/confirm.ts";
export {
  FRESH_SIGN_IN_SECONDS,
  findMissingProofs,
  hasFreshSignIn,
  type MissingProofs,
} from "./fresh-sign-in/fresh-sign-in.ts";
export { type KeptForm, keepForm, openKeptForm } from "./fresh-sign-in/kept-form.ts";
export { asksCurrentPassword, checkOwnPassword } from "./fresh-sign-in/own-password.ts";
export { describeRenewal, renewSignIn } from "./fresh-sign-in/renew.ts";
export { type Epochs, hasSameEpochs } from "./gate/epochs.ts";
export type { FirstFactor } from "./gate/first-factor.ts";
export { type AccountStatus, canTakeSecondStep, hasSecondStep } from "./gate/gate.ts";
export { PENDING_SIGN_IN_SECONDS } from "./gate/pending-sign-in.ts";
export { type SecondFactor, type SignInProof, withSecond } from "./gate/proof.ts";
export { REMEMBERED_SECONDS } from "./gate/remembered-browser.ts";
export { ACCOUNT_LIMITS, type AccountLimits, createAccountLimits } from "./limits/account-limits.ts";
export { type Attempts, attemptsUnder, type Limit, type Limiter } from "./limits/attempts.ts";
export { type CodeCheck, checkMailedCode, type TypedCode } from "./mailed-tokens/check-code.ts";
export {
  MAILED_CODE_TRIES,
  type MailedTokenDraft,
  type MintedMailedToken,
  mailedDataPurpose,
  mailedTokenData,
  mintMailedToken,
} from "./mailed-tokens/mint.ts";
export {
  isMailedTokenLive,
  OF_ONE_BROWSER,
  OF_THE_ACCOUNTS_ADDRESS,
  OUTLIVE_DELETION,
  openMailedLink,
} from "./mailed-tokens/open.ts";
export {
  type BrandLinks,
  type MailBrand,
  type MailComposer,
  type MailOf,
  type RequestedMail,
  recipientOf,
  TooManyMails,
} from "./mails/composer.ts";
export type { MailKind, MailKinds, OwnKind, RequestedKind } from "./mails/kinds.ts";
export type { NoticeData } from "./mails/notice-data.ts";
export type { PasskeyProblem, PasskeyProof, PostedCeremony } from "./passkeys/authenticate.ts";
export { beginPasskeySignIn, type PasskeyCeremony } from "./passkeys/begin.ts";
export { removePasskey, renamePasskey } from "./passkeys/manage.ts";
export { readPasskeyName } from "./passkeys/names.ts";
export {
  beginFirstPasskey,
  beginPasskeyRegistration,
  finishPasskeyRegistration,
  MAX_PASSKEYS,
  type PasskeyRegistrationProblem,
} from "./passkeys/register.ts";
export { isRpIdOf, type PasskeySettings, passkeySettings } from "./passkeys/settings.ts";
export { type BreachCheck, type BreachSource, createBreachCheck } from "./passwords/breaches/breach-check.ts";
export { confirmBrowser, requestBrowserCode } from "./passwords/browser-code.ts";
export { type ChangeOutcome, type ChosenPasswordProblem, changePassword } from "./passwords/change-password.ts";
export { passwordLength } from "./passwords/characters.ts";
export { HashFormatError, type HashKind, type StoredHash } from "./passwords/foreign-hashes/format.ts";
export { fromKeycloak } from "./passwords/foreign-hashes/pbkdf2.ts";
export { readPasswordHash } from "./passwords/foreign-hashes/read-hash.ts";
export { createPasswordHasher, type PasswordHasher, type PasswordVerdict } from "./passwords/hasher.ts";
export {
  createPasswordRules,
  LEAST_PASSWORD_CHARACTERS,
  namesAsWords,
  operatorPasswordProblems,
  type PasswordOwner,
  type PasswordProblem,
  type PasswordRules,
  passwordProblemText,
} from "./passwords/rules.ts";
export { verifyPassword } from "./passwords/verify-password.ts";
export { type Picture, type PictureType, pictureTypeOf } from "./profile/picture.ts";
export { type AccountRequest, type ActingBrowser, actingBrowser, sourceOf } from "./registration/account-request.ts";
export {
  changeEmailWithCode,
  changeEmailWithLink,
  type EmailChangeOutcome,
  requestEmailChange,
  undoEmailChange,
} from "./registration/change-email.ts";
export {
  type ConfirmOutcome,
  confirmSignUpCode,
  confirmSignUpLink,
  signUpWithLink,
} from "./registration/confirm-sign-up.ts";
export { deleteAccount, graceDaysOf } from "./registration/deletion.ts";
export {
  type AccountField,
  type FieldFault,
  MAX_NAME_LENGTH,
  readName,
} from "./registration/draft.ts";
export type { ProvedBy } from "./registration/first-proof.ts";
export {
  type AcceptOutcome,
  acceptInvitation,
  type InvitationDraft,
  type Invited,
  invite,
  inviterName,
  openInvitation,
} from "./registration/invitations.ts";
export { isAskingBrowser, resendSignUpCode, type SignUpOutcome, signUp } from "./registration/sign-up.ts";
export {
  asksForPassword,
  type LinkVisitor,
  linkStep,
  openVerificationLink,
  sessionBinding,
} from "./registration/verification-link.ts";
export { sendVerification, takeOverWithLink, verifyWithCode, verifyWithLink } from "./registration/verify-address.ts";
export type { ChosenWayIn, WayInRefused } from "./registration/way-in.ts";
export { requestReset, startReset } from "./reset/request-reset.ts";
export { type OpenReset, openReset, type ResetOutcome, resetPassword } from "./reset/reset-password.ts";
export {
  addTotp,
  beginTotp,
  removeTotp,
  replaceRecoveryCodes,
  resumeTotp,
  type TotpAdded,
  type TotpSetup,
} from "./second-factors/manage-totp.ts";
export { latestTotpStep } from "./second-factors/totp.ts";
export { totpPurpose } from "./second-factors/totp-purpose.ts";
export { type SecondCode, verifySecondCode } from "./second-factors/verify-code.ts";
export { type AccountSettings, SIGN_UP_MODES, type SignUpMode } from "./settings.ts";
export { type AskedStep, describeStep } from "./sign-in/asked-step.ts";
export { ACCOUNT_PAGE, type Continuation } from "./sign-in/continuation.ts";
export { type EmailCodeContinuation, signInWithCode, signInWithLink, visitSignInLink } from "./sign-in/email-code.ts";
export {
  CONFIRMED_BROWSER_SECONDS,
  findKnownBrowser,
  KNOWN_BROWSER_SECONDS,
  sealConfirmedBrowser,
  sealKnownBrowser,
} from "./sign-in/known-browser.ts";
export { replacePasswordInSignIn } from "./sign-in/new-password.ts";
export { openRequiredChange } from "./sign-in/new-password-ticket.ts";
export { afterFirstFactor } from "./sign-in/order.ts";
export { recordPasskeyNotGiven, signInWithPasskey } from "./sign-in/passkey.ts";
export { type PasswordSignIn, signInWithPassword } from "./sign-in/password.ts";
export { findProviderOfAddress } from "./sign-in/provider.ts";
export { restoreInSignIn } from "./sign-in/restore.ts";
export {
  findPendingStep,
  findStepOfSession,
  mayDecline,
  type SecondStepForm,
  type SecondStepOutcome,
  type StepSubject,
  stepId,
  takeSecondStep,
} from "./sign-in/second-step.ts";
export type { BegunSession, NextStep, SignInBrowser, SignInChoices, SignInRequest } from "./sign-in/sign-in.ts";
export { type SignInAttempt, type SignInLog, type SignInSubject, TYPED_EMAIL_SECONDS } from "./sign-in-log/attempt.ts";
export { SIGN_IN_CAUSE_TABLE, type SignInActor } from "./sign-in-log/cause-table.ts";
export type { SignInCause, SignInOutcome } from "./sign-in-log/causes.ts";
export { emailHash, emailHashes } from "./sign-in-log/email-hash.ts";
export { PROVIDER_CAUSES } from "./sign-in-log/provider-causes.ts";
export { recordSignIn } from "./sign-in-log/record.ts";
export type { FactorRemoval } from "./sign-in-methods/last-factor.ts";
export { isLastSignInMethod, type Removal } from "./sign-in-methods/last-way-in.ts";
export type { AccountRecord } from "./store/account-record.ts";
export type { AccountStore } from "./store/account-store.ts";
export {
  type Account,
  type AccountQueries,
  type AccountWithHash,
  hasVerifiedOwner,
  type NewAccount,
} from "./store/accounts.ts";
export type { NewAuditRow } from "./store/audit.ts";
export type { BrandingSettings } from "./store/branding.ts";
export type { Identity, IdentityConnection, IdentityKey, IdentityStore } from "./store/identities.ts";
export type { Invitation, InvitationStore } from "./store/invitations.ts";
export type { MailState } from "./store/mail-states.ts";
export type {
  MailedToken,
  MailedTokenPurpose,
  MailedTokenStore,
  NewMailedToken,
  SoughtToken,
} from "./store/mailed-tokens.ts";
export type { NewMail } from "./store/mails.ts";
export type { Credential, Maker } from "./store/maker.ts";
export type { FirstPasskey, Passkey, PasskeyStore, PasskeyUse } from "./store/passkeys.ts";
export type { PasswordChange, PasswordReset, PasswordStore, ResetFacts, UndoneChange } from "./store/passwords.ts";
export type {
  AddressChange,
  AddressChangeStore,
  AddressClaim,
  AddressProof,
  AddressSpend,
  AddressUndo,
  DeletionStore,
  RegistrationStore,
  UnverifiedAccount,
} from "./store/registrations.ts";
export type {
  FactorOwner,
  NewRememberedBrowser,
  RememberedBrowser,
  SecondFactorStore,
  TotpRemoval,
  TotpRow,
} from "./store/second-factors.ts";
export type { SignInMethodStore, SignInMethods } from "./store/sign-in-methods.ts";
export type { SignInProviderStore } from "./store/sign-in-providers.ts";
export {
  attemptCookies,
  endAttemptCookies,
  readAttempt,
  type UpstreamAttempt,
  type UpstreamPurpose,
} from "./upstream/attempt.ts";
export { beginUpstream, type UpstreamStart } from "./upstream/begin.ts";
export type { UpstreamClientDeps } from "./upstream/client.ts";
export { completeUpstream } from "./upstream/complete.ts";
export { disconnectIdentity } from "./upstream/disconnect.ts";
export { providerForAddress, routesByDomain } from "./upstream/domains.ts";
export { connectIdentity } from "./upstream/identities.ts";
export type { LinkingProblem } from "./upstream/linking.ts";
export { clearPendingLink, readPendingLink } from "./upstream/pending-link.ts";
export { PRESETS } from "./upstream/presets/index.ts";
export { fieldName, type NamedField, type Preset } from "./upstream/presets/preset.ts";
export type { ProviderSettings } from "./upstream/provider.ts";
export {
  callbackUrl,
  type LinkPolicy,
  PRESET_IDS,
  type PresetId,
  type SignInProvider,
  secretPurpose,
  settingsOf,
  type UpstreamLogout,
} from "./upstream/provider.ts";
export type { UpstreamCallback, UpstreamDeps, UpstreamResult } from "./upstream/result.ts";
export { UPSTREAM_ID_TOKEN, upstreamSignOut } from "./upstream/sign-out.ts";
export type { UpstreamTestOutcome } from "./upstream/test-outcome.ts";
export {
  beginUpstreamTest,
  openTestReport,
  sealTestReport,
  testStartUrl,
  type UpstreamTestReport,
} from "./upstream/test-run.ts";
export type { ProviderCheck } from "./upstream/try-provider.ts";
export { createUpstream, type Upstream } from "./upstream/upstream.ts";
export { UpstreamError, type UpstreamProblem } from "./upstream/upstream-error.ts";
