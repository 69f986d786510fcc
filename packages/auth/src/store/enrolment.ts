/** The factors of a user beside the password. */
export type Enrolment = {
  /** An authenticator app. */
  totp: boolean;
  /** A passkey that does not verify its user: a second step only. WA-07. */
  securityKey: boolean;
  /** A passkey that verifies its user: both factors, and on request a second step. */
  passkey: boolean;
};

export type EnrolmentStore = {
  findEnrolment(userId: string): Promise<Enrolment>;
};
