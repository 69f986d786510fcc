/** No accepted password is shorter, so shorter entries need no place in the list. */
const LEAST_CHARACTERS = 8;
/** The length of chosen passwords: derived entries have at least that. */
const LONG = 15;
/** How many of the most common words are extended, and how many are joined in pairs. */
const [EXTENDED, PAIRED] = [500, 100];

const TAILS = [
  "123",
  "1234",
  "12345",
  "123456",
  "1234567",
  "12345678",
  "123456789",
  "1234567890",
  "0123456789",
  "123123",
  "987654321",
  "!",
  "123!",
  "1234!",
  "12345!",
  "123456!",
  "2023",
  "2024",
  "2025",
  "2026",
  "2026!",
  "111",
  "1111",
  "111111",
  "000000",
  "abc",
  "abc123",
  "qwerty",
  "qwerty123",
  "password",
  "password1",
  "password123",
  "iloveyou",
  "admin",
  "login",
  "secret",
  "test",
];
const PHRASES = [
  "correcthorsebatterystaple",
  "thequickbrownfox",
  "thequickbrownfoxjumps",
  "mypasswordisstrong",
  "thisismypassword",
];

/**
 * Common passwords as a list to refuse: sorted, folded, with derived ones that reach the length of a chosen password.
 * PW-03.
 */
export function deriveCommonPasswords(mostCommonFirst: readonly string[]): string[] {
  const words = mostCommonFirst.filter((entry) => /^[a-z]{4,}$/.test(entry));
  const extended = words.slice(0, EXTENDED).flatMap((word) => TAILS.flatMap((tail) => [word + tail, tail + word]));
  const paired = words.slice(0, PAIRED).flatMap((one) => words.slice(0, PAIRED).map((other) => one + other));
  const long = [...extended, ...paired, ...PHRASES].filter(({ length }) => length >= LONG);
  const common = mostCommonFirst
    .map((entry) => entry.normalize("NFC").toLowerCase())
    .filter(({ length }) => length >= LEAST_CHARACTERS);
  return [...new Set([...common, ...long])].toSorted();
}
