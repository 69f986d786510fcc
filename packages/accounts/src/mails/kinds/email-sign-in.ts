/** Each kind with the data of its template, in packages/mail/src/templates/email-sign-in.ts. */
export type EmailSignInMails = {
  /** ML-01. `code` works in the browser that asked; so does the button behind `link`. */
  sign_in_code: { code: string; link: string };
};
