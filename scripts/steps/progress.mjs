// What is done, what runs and what is left, on one line: rewritten in place on a terminal, otherwise printed every 15
// seconds.
const REWRITE_EVERY_MS = 250;
const PRINT_EVERY_MS = 15_000;

/**
 * Shows the progress of a plan. It stays silent until the first step runs. On standard error: the output of some
 * commands is data.
 */
export function showProgress({ out = process.stderr, now = () => performance.now() } = {}) {
  const steps = [];
  const notes = [];
  let ticker;

  let drawn;
  function draw() {
    const line = `› ${steps.map((step) => describeStep(step, now())).join(" · ")}`;
    if (line === drawn) return;
    drawn = line;
    out.write(out.isTTY ? `\r\x1b[2K${line.slice(0, (out.columns ?? 80) - 1)}` : `${line}\n`);
  }

  return {
    plan(...names) {
      for (const name of names) steps.push({ name });
    },
    async during(name, act) {
      const step = steps.find((one) => one.name === name) ?? { name };
      if (!steps.includes(step)) steps.push(step);
      step.began = now();
      ticker ??= setInterval(draw, out.isTTY ? REWRITE_EVERY_MS : PRINT_EVERY_MS).unref();
      queueMicrotask(draw); // after the steps that begin at the same time
      try {
        return await act();
      } catch (error) {
        step.failed = true;
        throw error;
      } finally {
        step.seconds = (now() - step.began) / 1000;
        draw();
      }
    },
    note(name, seconds) {
      notes.push({ name, seconds });
    },
    close() {
      if (ticker === undefined) return;
      clearInterval(ticker);
      ticker = undefined;
      if (out.isTTY) out.write("\n");
    },
    times: () =>
      steps.flatMap(({ name, seconds }) => (seconds === undefined ? [] : [{ name, seconds }, ...notesOf(name)])),
  };

  function notesOf(name) {
    return notes
      .filter((note) => note.name.startsWith(`${name}: `))
      .map((note) => ({ ...note, name: `  ${note.name.slice(name.length + 2)}` }));
  }
}

function describeStep({ name, began, seconds, failed }, time) {
  if (seconds !== undefined) return `${failed ? "✖" : "✓"} ${name} ${Math.round(seconds)} s`;
  return began === undefined ? name : `… ${name} ${Math.round((time - began) / 1000)} s`;
}

/** The times as a table, with their total. */
export function tableOf(times, totalSeconds) {
  const rows = [...times, { name: "total", seconds: totalSeconds }];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, seconds }) => `  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`).join("\n");
}
