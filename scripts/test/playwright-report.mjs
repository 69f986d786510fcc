/**
 * What `npm test` needs of a report of Playwright's JSON reporter on the specs of `folder`, in the form that
 * `vitest-reporter.mjs` writes.
 */
export function readPlaywright({ suites = [], stats = {}, errors = [] }, folder) {
  const specs = suites.flatMap(specsOf);
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === "unexpected" || status === "flaky"));
  const failures = [
    ...failed.map((spec) => ({ title: `${spec.file} › ${spec.title}`, messages: resultsOf(spec).flatMap(messagesOf) })),
    ...errors.map(({ message }) => ({ title: "an error outside of any test", messages: [message] })),
  ];
  const seconds = new Map();
  for (const spec of specs) {
    const milliseconds = resultsOf(spec).reduce((sum, { duration }) => sum + duration, 0);
    seconds.set(spec.file, (seconds.get(spec.file) ?? 0) + milliseconds / 1000);
  }
  return {
    passed: stats.expected ?? 0,
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) + errors.length,
    skipped: stats.skipped ?? 0,
    failures,
    files: [...seconds].map(([file, spent]) => ({ file: `${folder}/${file}`, seconds: spent })),
  };
}

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];
const resultsOf = ({ tests }) => tests.flatMap(({ results }) => results);
const messagesOf = ({ errors = [] }) => errors.map(({ message }) => message);
