import { isCode, type SourceFile } from './source-files.ts';

/**
 * Where a failed call is shown by hand, beside `CallFailed`: its "Try again" stands there for whoever may not see the answer, and for what
 * doesn't exist, too.
 */
export const callFailedFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.startsWith('web/src/') && isCode(path) && path !== 'web/src/kit/dead-end.tsx')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<ErrorState\b[^>]*\bmessageOf\(/g)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
    );
