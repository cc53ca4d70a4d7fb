import { importsOf } from './imports-of.ts';
import { isCode, type SourceFile } from './source-files.ts';

interface Door {
  /** What is imported. */
  readonly what: RegExp;
  /** Whose business it is, and nobody else's. */
  readonly may: readonly string[];
  readonly why: string;
}

const doors: readonly Door[] = [
  {
    what: /^(htmlparser2|yauzl|saxes|sax|fast-xml-parser|fflate|jszip|adm-zip|tar|tar-stream|csv-parse|papaparse)$/,
    may: ['server/src/platform/work/parse-xlsx.ts', 'server/src/platform/backup/read-archive.ts'],
    why: 'uploaded bytes are taken apart in a thread, within limits',
  },
  {
    what: /^server\/src\/platform\/work\/parse-xlsx\.ts$/,
    may: ['server/src/platform/work/xlsx.thread.ts'],
    why: 'uploaded bytes are taken apart in a thread, within limits',
  },
  { what: /^sharp$/, may: ['server/src/platform/files/pictures.ts'], why: 'uploaded pictures are opened in one place, within limits' },
];

const isFree = (path: string) => /\.(test|factory)\.ts$/.test(path) || !path.startsWith('server/src/');

/** What is dangerous has one door: who goes past it passes its limits by. */
export const pastTheDoor = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && !isFree(path))
    .flatMap(importsOf)
    .flatMap(({ from, to, isEager }) =>
      doors
        // A type alone does nothing.
        .filter(({ what, may }) => what.test(to) && !may.includes(from) && (isEager || !isTypeOf(files, from, to)))
        .map(({ why }) => `${from} imports ${to}: ${why}`),
    );

function isTypeOf(files: readonly SourceFile[], from: string, to: string): boolean {
  const text = files.find(({ path }) => path === from)?.text ?? '';
  const name = to.split('/').at(-1) ?? to;
  return !new RegExp(`\\bawait import\\(\\s*['"][^'"]*${name.replace('.', '\\.')}['"]`).test(text);
}
