import { importsOf } from './imports-of.ts';
import { isCode, type SourceFile } from './source-files.ts';

interface Rule {
  /** What is imported. */
  readonly what: RegExp;
  /** Whose business it is, and nobody else's. */
  readonly may: readonly string[];
  readonly why: string;
}

const rules: readonly Rule[] = [
  {
    what: /^(htmlparser2|yauzl|saxes|sax|fast-xml-parser|fflate|jszip|adm-zip|tar|tar-stream|csv-parse|papaparse)$/,
    may: [
      'server/src/platform/work/parse-xlsx.ts',
      'server/src/platform/work/zip.ts',
      'server/src/platform/work/archive-text.ts',
      'server/src/platform/backup/open-zip.ts',
    ],
    why: 'uploaded bytes are taken apart in a thread, within limits',
  },
  {
    what: /^server\/src\/platform\/work\/zip\.ts$/,
    may: ['server/src/platform/work/zip.thread.ts', 'server/src/platform/work/parse-xlsx.ts'],
    why: 'archives are taken apart in their own thread: read-zip.ts',
  },
  {
    what: /^server\/src\/platform\/work\/parse-xlsx\.ts$/,
    may: ['server/src/platform/work/xlsx.thread.ts'],
    why: 'uploaded bytes are taken apart in a thread, within limits',
  },
  {
    what: /^(nodemailer|undici|axios|got|node-fetch|ws|mqtt|ldapts|ldapjs|ssh2|imapflow)$/,
    may: [
      'server/src/platform/mail/transports.ts',
      'server/src/platform/gateway/outside-broker.ts',
      'server/src/modules/customer/mqtt-line.ts',
    ],
    why: 'connections to addresses that people enter go through platform/outbound/door.ts',
  },
  {
    what: /^openid-client$/,
    may: ['server/src/modules/auth/sso/provider.ts', 'server/src/modules/auth/sso/sso.handlers.ts'],
    why: 'connections to addresses that people enter go through platform/outbound/door.ts',
  },
  { what: /^sharp$/, may: ['server/src/platform/files/pictures.ts'], why: 'uploaded pictures are opened in one place, within limits' },
];

const isFree = (path: string) => /\.(test|factory)\.ts$/.test(path) || !path.startsWith('server/src/');

/** What is dangerous has one door: who goes past it passes its limits by. */
export const bypassed = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && !isFree(path))
    .flatMap(importsOf)
    .flatMap(({ from, to, isEager }) =>
      rules
        // A type alone does nothing.
        .filter(({ what, may }) => what.test(to) && !may.includes(from) && (isEager || !isTypeOf(files, from, to)))
        .map(({ why }) => `${from} imports ${to}: ${why}`),
    );

function isTypeOf(files: readonly SourceFile[], from: string, to: string): boolean {
  const text = files.find(({ path }) => path === from)?.text ?? '';
  const name = to.split('/').at(-1) ?? to;
  return !new RegExp(`\\bawait import\\(\\s*['"][^'"]*${name.replace('.', '\\.')}['"]`).test(text);
}

/** The door itself, who goes where the operator says, which no person of the console can change, and what says how TLS begins for all of them. */
const mayConnect = new Set([
  'server/src/platform/outbound/door.ts',
  'server/src/platform/files/s3-client.ts',
  'server/src/platform/gateway/outside-broker.ts',
  'server/src/platform/least-tls.ts',
  // TLS over a connection that the door has opened.
  'server/src/modules/customer/mqtt-line.ts',
]);
const opening =
  /(?<![\w.$])fetch\s*\(|\bglobalThis\.fetch\b|\bnew (WebSocket|EventSource|XMLHttpRequest)\b|\bimport\s*(?!type\b)\{[^}]*(?<!type )\b(connect|createConnection|request|get|createSocket|Socket as \w+)\b[^}]*\}\s*from 'node:(net|tls|http|https|http2|dgram)'|\bimport (\* as \w+|\w+) from 'node:(net|tls|http|https|http2|dgram)'/;

/** Lines that open a connection outwards past the one door. */
export const bypassedOutbound = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && !isFree(path) && !mayConnect.has(path))
    .flatMap(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return opening.test(code) ? [`${path} opens connections: they go through platform/outbound/door.ts`] : [];
    });
