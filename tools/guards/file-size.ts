import type { SourceFile } from './source-files.ts';

const most = 400;
const counted = /\.(ts|tsx|mjs|css|sql)$/;
/** Generated files and texts are as long as what they list. */
const uncounted = /^database\/(tables\.ts|schema\.sql)$|\.texts\.ts$|\.gen\.ts$/;

/** A file that has grown too long to be about one thing. */
export const sizeFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => counted.test(path) && !uncounted.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > most)
    .map(({ path, lines }) => `${path} has ${lines} lines; ${most} are the most`);
