/** The longest password, in code points. Longer ones are refused, never cut. PW-02. */
export const MOST_PASSWORD_CHARACTERS = 256;

/**
 * The form of a password that is measured and hashed: NFC, so that every keyboard's spelling of it is the same. PW-02.
 */
export function normalisePassword(password: string): string {
  return password.normalize("NFC");
}

/**
 * Normalising takes the square of the length. No text of more UTF-16 units than this composes to
 * {@link MOST_PASSWORD_CHARACTERS}.
 */
const MOST_UNITS = 16 * MOST_PASSWORD_CHARACTERS;

/**
 * The length of a password in code points of its normal form: what users count as characters, also outside the BMP. Far
 * too long ones are not normalised.
 */
export function passwordLength(password: string): number {
  return [...(password.length > MOST_UNITS ? password : normalisePassword(password))].length;
}
