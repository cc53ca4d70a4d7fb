import type { SourceFile } from './source-files.ts';

const sum = /[-+*/]= \(?await\b/;

/** A sum that reads itself, waits, and writes then: what others added meanwhile is lost. The awaited value gets a name first. */
export const lostSums = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (sum.test(line) ? [`${path}:${at + 1} adds to what it read before it waited`] : [])),
    );
