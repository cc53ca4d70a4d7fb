import type { SourceFile } from './source-files.ts';

const room = /^server\/src\/(engines|modules|platform)\//;
const isFree = /\.(test|factory)\.ts$/;
/** The house's clock itself; a certificate that is made before there is a database; an object whose store doesn't say how old it is. */
const may = new Set([
  'server/src/platform/database-clock.ts',
  'server/src/platform/app-context.ts',
  'server/src/platform/config/local-certificate.ts',
  'server/src/platform/files/s3-client.ts',
]);
const own = /\bDate\.now\(|\bnew Date\(\)/;

/** The clock of this machine, which may be wrong and set at any time: a moment is `app.now()`, a span is `performance.now()`. */
export const clockFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => room.test(path) && !isFree.test(path) && !may.has(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (own.test(line) ? [`${path}:${at + 1} asks this machine's clock`] : [])),
    );
