import { isCode, type SourceFile } from './source-files.ts';

/** An option with a secret, handed to a process that we start: whoever is on the machine reads it in the list of processes. */
const handed = /['"`]--(code|password|token|secret|passphrase|pin|master-key)(=|['"`])/;
const starts = /\b(spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\s*\(/;

export const secretsInArguments = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && /^(server|tools|terminal)\//.test(path) && !/\.(test|factory)\.ts$/.test(path))
    .filter(({ text }) => starts.test(text) && handed.test(text))
    .map(({ path }) => `${path} hands a secret to a process in its arguments: use its environment, its input or a file`);
