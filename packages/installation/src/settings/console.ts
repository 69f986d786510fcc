import { LOCALE_NAMES, LOCALES, type Locale } from "@gatehouse/languages";
import { z } from "zod";
import { type SettingsTable, shapeOf, wholeNumber } from "./setting.ts";

/** The language of pages, and how long a sign-in to the console lasts. */
export type ConsoleSettings = {
  /** The language of people who did not say which one they read. */
  defaultLocale: Locale;
  /** After how much time without use, and after how much in all, the console asks for a new sign-in. CO-89. */
  consoleSession: { idleSeconds: number; absoluteSeconds: number };
};

const HOUR = 3_600;
const DAY = 86_400;

const LANGUAGE = { title: "Language", text: "Of pages and mails." };
const SESSIONS = {
  title: "Console sessions",
  text: "How long admins, developers and viewers stay signed in to this console.",
};

const idleHours = wholeNumber("hours", 1, 336);
const sessionDays = wholeNumber("days", 1, 30);

export const CONSOLE = {
  GATEHOUSE_DEFAULT_LOCALE: {
    value: z.enum(LOCALES, `must be ${LOCALES.join(", ")}`).default("en"),
    docs: {
      default: "`en`",
      meaning: "`de`, `fr`, `es` or `ar`: the language of people whose browser asks for none that we have",
      example: "en",
    },
    console: {
      section: "general",
      group: LANGUAGE,
      label: "Default language",
      about: "For people whose browser asks for no language that Gatehouse speaks.",
      input: { kind: "choice", options: LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] })) },
      changeable: true,
      show: ({ defaultLocale }) => defaultLocale,
    },
  },
  GATEHOUSE_CONSOLE_IDLE_HOURS: {
    value: idleHours.value.default(12),
    docs: {
      default: "`12`",
      meaning: "hours after which a browser that did not use the console has to go through sign-in again, 1 to 336",
      example: "12",
    },
    console: {
      section: "general",
      group: SESSIONS,
      label: "Console session, unused",
      about: "A browser that hasn’t used the console for this long goes through sign-in again.",
      input: idleHours.input,
      changeable: true,
      show: ({ consoleSession }) => String(consoleSession.idleSeconds / HOUR),
    },
  },
  GATEHOUSE_CONSOLE_SESSION_DAYS: {
    value: sessionDays.value.default(14),
    docs: {
      default: "`14`",
      meaning: "days after which the console asks everybody to prove who they are again, 1 to 30",
      example: "14",
    },
    console: {
      section: "general",
      group: SESSIONS,
      label: "Console session, at most",
      about: "Everybody who uses the console proves who they are at least this often.",
      input: sessionDays.input,
      changeable: true,
      show: ({ consoleSession }) => String(consoleSession.absoluteSeconds / DAY),
    },
  },
} as const satisfies SettingsTable<ConsoleSettings>;

export const consoleVariables = shapeOf(CONSOLE);

export function consoleSettings(given: z.output<z.ZodObject<typeof consoleVariables>>): ConsoleSettings {
  return {
    defaultLocale: given.GATEHOUSE_DEFAULT_LOCALE,
    consoleSession: {
      idleSeconds: given.GATEHOUSE_CONSOLE_IDLE_HOURS * HOUR,
      absoluteSeconds: given.GATEHOUSE_CONSOLE_SESSION_DAYS * DAY,
    },
  };
}
