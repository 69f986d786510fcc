// Passwords that follow from a pattern. All compare case-folded text as a whole: a pattern inside a longer password
// does no harm. PW-03.

/** The longest unit whose repetition is refused. */
const LONGEST_UNIT = 8;

/** Lines that fingers and memory follow: the alphabet, the digits and the rows of keyboards, each also as a circle. */
const LINES = [
  "abcdefghijklmnopqrstuvwxyz",
  "1234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
];

/** The form in which passwords are compared with words and lists. */
export function foldPassword(password: string): string {
  return password.normalize("NFC").toLowerCase();
}

/** One unit of at most eight characters, over and over: "abcabcabcabc". A last unit that is cut off counts too. */
export function isRepetition(folded: string): boolean {
  const characters = [...folded];
  const longest = Math.min(LONGEST_UNIT, Math.floor(characters.length / 2));
  for (let unit = 1; unit <= longest; unit++) if (repeats(characters, unit)) return true;
  return false;
}

/** `word` itself, or `word` over and over. */
export function isMadeOf(folded: string, word: string): boolean {
  return word.length > 0 && folded.length % word.length === 0 && folded === word.repeat(folded.length / word.length);
}

/** A straight run: each character follows the one before on a line, forwards or backwards, with a wrap at its end. */
export function isRun(folded: string): boolean {
  return (
    isCodePointRun(folded) ||
    LINES.some((line) => runsAlong(folded, line) || runsAlong([...folded].reverse().join(""), line))
  );
}

function repeats(characters: readonly string[], unit: number): boolean {
  return characters.every((character, at) => at < unit || character === characters[at - unit]);
}

function runsAlong(folded: string, line: string): boolean {
  const start = line.indexOf(folded.charAt(0));
  if (start < 0) return false;
  for (let at = 1; at < folded.length; at++) if (folded[at] !== line[(start + at) % line.length]) return false;
  return true;
}

/** The same for scripts whose letters have consecutive code points. */
function isCodePointRun(folded: string): boolean {
  const points = [...folded].map((character) => character.codePointAt(0) ?? 0);
  const step = (points[1] ?? 0) - (points[0] ?? 0);
  return Math.abs(step) === 1 && points.every((point, at) => at === 0 || point - (points[at - 1] ?? 0) === step);
}
