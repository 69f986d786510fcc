import { stripVTControlCharacters } from "node:util";

const MESSAGE_LINES = 15;
const MESSAGE_WIDTH = 300;
const SLOWEST_FILES = 10;

/**
 * The end of a run: the failures, the time by layer, the slowest files, and the total alone on the last line.
 * @param {readonly import("./summary.d.mts").Result[]} results
 * @param {(name: string) => number | undefined} budgetOf The budget of a layer, or of the `total`, in seconds, if it
 * has one in this run.
 */
export function summary(results, budgetOf) {
  const sum = (key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  return [
    ...failed(results),
    ...table(results, budgetOf),
    ...slowest(results),
    "",
    `${sum("passed")} passed, ${sum("failed")} failed${skipped}`,
  ].join("\n");
}

/** With the beginning of each error, so that the end of a log is enough to see what happened. */
function failed(results) {
  const lines = results.flatMap(({ layer, failures }) =>
    failures.flatMap(({ title, messages = [] }) => [`  ${layer.title}: ${title}`, ...messages.flatMap(beginning)]),
  );
  return lines.length > 0 ? ["", "Failed:", ...lines] : [];
}

function beginning(message) {
  const lines = stripVTControlCharacters(message ?? "").split("\n");
  return lines.slice(0, MESSAGE_LINES).map((line) => `      ${line.slice(0, MESSAGE_WIDTH)}`);
}

function table(results, budgetOf) {
  const width = Math.max("Total".length, ...results.map(({ layer }) => layer.title.length));
  const row = (title, tests, wall, cpu, budget) =>
    `  ${title.padEnd(width)}  ${tests.padStart(6)}  ${wall.padStart(6)}  ${cpu.padStart(6)}  ${budget.padStart(6)}`;
  const line = (title, { tests, wallSeconds, cpuSeconds }, budget) =>
    row(title, `${tests}`, seconds(wallSeconds), seconds(cpuSeconds), seconds(budget)) +
    (wallSeconds > budget ? `  over its budget by ${seconds(wallSeconds - budget)}` : "");
  const lines = results.map((result) => ({ ...result, tests: result.passed + result.failed + result.skipped }));
  const add = (key) => lines.reduce((total, result) => total + (result[key] ?? 0), 0);
  const total = { tests: add("tests"), wallSeconds: add("wallSeconds"), cpuSeconds: add("cpuSeconds") };
  return [
    "",
    row("Layer", "tests", "wall", "CPU", budgetOf("total") === undefined ? "" : "budget"),
    ...lines.map((result) => line(result.layer.title, result, budgetOf(result.layer.name))),
    line("Total", total, budgetOf("total")),
  ].map((text) => text.trimEnd());
}

function slowest(results) {
  const files = results.flatMap(({ files: all }) => all).toSorted((one, other) => other.seconds - one.seconds);
  const lines = files
    .slice(0, SLOWEST_FILES)
    .map(({ file, seconds: spent }) => `  ${seconds(spent).padStart(6)}  ${file}`);
  return lines.length > 0 ? ["", "Slowest files:", ...lines] : [];
}

const seconds = (value) => (value === undefined ? "" : `${value < 10 ? value.toFixed(1) : Math.round(value)} s`);
