const UNITS = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3_600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
] as const;

/** A span in its largest whole unit: 1209600 as "14 days", 90 as "90 seconds". */
export function spanWords(seconds: number): string {
  const unit = UNITS.find((one) => seconds >= one.seconds && seconds % one.seconds === 0);
  if (!unit) return seconds === 1 ? "1 second" : `${seconds.toLocaleString("en")} seconds`;
  const count = seconds / unit.seconds;
  return `${count} ${count === 1 ? unit.one : unit.many}`;
}
