import { writeFileSync } from "node:fs";

/**
 * Writes what `npm test` needs of a run to the file that GATEHOUSE_TEST_REPORT names: counts, failures with their
 * messages, and how long each file took, hooks included (the JSON reporter of vitest leaves them out).
 */
export default class {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };
    const fail = (title, errors) => {
      report.failed++;
      report.failures.push({ title, messages: errors.map(({ message }) => message) });
    };
    for (const module of modules) {
      const file = module.relativeModuleId;
      let failedBefore = report.failed;
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "failed") fail(`${file} › ${test.fullName}`, errors);
        else if (state === "passed") report.passed++;
        else report.skipped++;
      }
      // A module or suite that fails as a whole, in a hook or when it is loaded, may have no failed test.
      for (const part of [module, ...module.children.allSuites()]) {
        const errors = part.errors();
        if (errors.length === 0 || report.failed > failedBefore) continue;
        fail(part === module ? file : `${file} › ${part.fullName}`, errors);
        failedBefore = report.failed;
      }
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      report.files.push({ file, seconds: (collectDuration + setupDuration + duration) / 1000 });
    }
    for (const error of unhandledErrors) fail("an error outside of any test", [error]);
    writeFileSync(process.env.GATEHOUSE_TEST_REPORT, JSON.stringify(report));
  }
}
