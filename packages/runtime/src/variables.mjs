import { loadEnvFile, readEnvFile } from "./env-file.mjs";
import { withSecretFiles } from "./secret-files.mjs";

export function variablesReader(environment, workingDirectory) {
  loadEnvFile(environment, workingDirectory);
  const atStart = { ...environment };
  const fileAtStart = readEnvFile(atStart, workingDirectory).values;
  return () => {
    const file = readEnvFile(atStart, workingDirectory).values;
    const now = { ...atStart };
    for (const name of Object.keys({ ...fileAtStart, ...file }))
      if (atStart[name] === fileAtStart[name]) now[name] = file[name];
    return withSecretFiles(now, workingDirectory);
  };
}

export function changedVariables(before, now, names) {
  return names.filter((name) => (before[name] || undefined) !== (now[name] || undefined));
}
