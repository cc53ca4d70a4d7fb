import type { SourceFile } from './source-files.ts';

// Put together, so that this file does not find itself.
const word = (...parts: string[]) => parts.join('');
const unfinished = new RegExp(`\\b(${word('TO', 'DO')}|${word('FIX', 'ME')}|${word('X', 'XX')})\\b`);
const machinePath = new RegExp(
  `(?<![\\w.])/(${word('wo', 'rk')}/(main|shared|steering|\\.library)|${word('ro', 'ot')}/|${word('ho', 'me')}/[\\w-]+/|${word('Us', 'ers')}/)`,
);

function wordFault({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, at) => {
    const found = unfinished.exec(line)?.[0] ?? machinePath.exec(line)?.[0];
    return found ? [`${path}:${at + 1} holds ${found}`] : [];
  });
}

/** Where a lock file names the host of a registry, every other registry is locked out. */
const lockFault = ({ path, text }: SourceFile) =>
  path.endsWith('package-lock.json') && /"resolved":\s*"https?:/.test(text) ? [`${path} names a registry`] : [];

export const strayFaults = (files: readonly SourceFile[]): string[] =>
  files.flatMap((file) => (file.path.endsWith('package-lock.json') ? lockFault(file) : wordFault(file)));
