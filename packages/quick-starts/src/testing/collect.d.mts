export function collect(): string;
