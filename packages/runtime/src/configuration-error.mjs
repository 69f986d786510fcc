/** An error of settings: the program that it ends exits with 78 (sysexits.h). */
export const configurationError = (message) => Object.assign(new Error(message), { exitCode: 78 });
