import { isCode, type SourceFile } from './source-files.ts';

/** Buttons that lead somewhere by hand, beside `Offer`: they stand there for those who may only look on, too. */
export const offerFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /^web\/src\/(features|engines)\//.test(path) && isCode(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<(?:Icon)?Button\b[^>]*?(?:\bhref=|\bfollow\(|\blinkTo\()/g)].map(
        ({ index }) => `${path}:${text.slice(0, index).split('\n').length}`,
      ),
    );

/** Links and acts that lead to where something is made, in a file that asks nowhere whether the person may. */
export const newLinkFaults = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /^web\/src\/(features|engines)\//.test(path) && isCode(path) && !/\/pages\.tsx?$/.test(path))
    .filter(({ text }) => /\/new(?=[`'?$])|\bnewTaskScreen\(|\bnewTaskPath\(/.test(text) && !/\bmayCall\(|\bcall: |<Offer\b/.test(text))
    .map(({ path }) => path);
