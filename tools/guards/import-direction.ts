import { type Import, importsOf, isBarrel } from './imports-of.ts';
import { isCode, type SourceFile } from './source-files.ts';

interface Zone {
  readonly name: string;
  readonly holds: RegExp;
  /** Zones whose files it may import, besides its own. */
  readonly mayImport: readonly string[];
}

/** The direction of imports, from the bottom up. The first zone that holds a file is its zone. */
const zones: readonly Zone[] = [
  { name: 'contract', holds: /^contract\/src\//, mayImport: [] },
  { name: 'database', holds: /^database\//, mayImport: [] },
  { name: 'apk', holds: /^apk\//, mayImport: ['contract'] },
  { name: 'platform', holds: /^server\/src\/platform\//, mayImport: ['contract', 'database'] },
  { name: 'engines', holds: /^server\/src\/engines\//, mayImport: ['contract', 'database', 'platform'] },
  { name: 'modules', holds: /^server\/src\/modules\/[^/]+\//, mayImport: ['contract', 'database', 'apk', 'platform', 'engines'] },
  { name: 'main', holds: /^server\/src\//, mayImport: ['contract', 'database', 'platform', 'engines', 'modules', 'terminal'] },
  {
    name: 'server tests',
    holds: /^server\/test\//,
    mayImport: ['contract', 'database', 'apk', 'platform', 'engines', 'modules', 'main', 'terminal'],
  },
  { name: 'ui', holds: /^web\/src\/ui\//, mayImport: ['contract'] },
  { name: 'kit', holds: /^web\/src\/kit\//, mayImport: ['contract', 'ui'] },
  { name: 'web engines', holds: /^web\/src\/engines\//, mayImport: ['contract', 'ui', 'kit'] },
  { name: 'features', holds: /^web\/src\/features\/[^/]+\//, mayImport: ['contract', 'ui', 'kit', 'web engines'] },
  { name: 'app', holds: /^web\//, mayImport: ['contract', 'ui', 'kit', 'web engines', 'features'] },
  { name: 'terminal', holds: /^terminal\//, mayImport: ['contract', 'apk'] },
  {
    name: 'outside',
    holds: /^(e2e|tools|bench|faults|[^/]+$)/,
    mayImport: [
      'contract',
      'database',
      'apk',
      'platform',
      'engines',
      'modules',
      'main',
      'server tests',
      'terminal',
      'kit',
      'features',
      'app',
    ],
  },
];

const zoneOf = (path: string) => zones.find((zone) => zone.holds.test(path));
const isTest = (path: string) => /\.test\.tsx?$|\.journey\.ts$|\.factory\.ts$|^server\/test\//.test(path);

/** One folder of `modules` or `features`. */
const roomOf = (path: string) => /^(?:server\/src\/modules|web\/src\/features)\/[^/]+\//.exec(path)?.[0];

const driven = new Set(['engines', 'modules', 'main', 'server tests', 'terminal']);

function directionFault({ from, to }: Import): string | undefined {
  // Styles, texts and data have no direction.
  if (!isCode(to)) return undefined;
  const [zone, target] = [zoneOf(from), zoneOf(to)];
  if (!zone || !target) return `${from} imports ${to}, and one of them has no place in the tree`;
  // Tests stand beside what they test and drive the whole server with it; they are not part of it.
  const mayDrive = isTest(from) && from.startsWith('server/') && driven.has(target.name);
  if (zone !== target && !zone.mayImport.includes(target.name) && !mayDrive) return `${from} (${zone.name}) imports ${to} (${target.name})`;
  return roomFault(from, to);
}

function roomFault(from: string, to: string): string | undefined {
  const [room, targetRoom] = [roomOf(from), roomOf(to)];
  if (!targetRoom || room === targetRoom) return undefined;
  if (room && targetRoom.startsWith('web/')) return `${from} imports another feature: ${to}`;
  if (to === `${targetRoom}api.ts` || (!room && !isTest(from))) return undefined;
  // Test data of another domain is made by that domain; and a test takes a domain in as the server does.
  if (isTest(from) && (to.endsWith('.factory.ts') || to === `${targetRoom}module.ts`)) return undefined;
  return `${from} reaches into another module past its api.ts: ${to}`;
}

const componentLibrary = /^(antd|@ant-design\/.+|rc-.+|@rc-component\/.+)$/;

/** Needed by few calls, and large: together they were a seventh of the files that a start read, and an eighth of the memory of the server at rest. */
const late =
  /^(nodemailer|sharp|@zxcvbn-ts\/language-common|qrcode|openid-client|@simplewebauthn\/server|pdfkit|fontkit)$|^server\/src\/platform\/(gateway\/outside-broker|work\/read-xlsx|pdf\/sheet)\.ts$/;
/** What draws documents is loaded by its thread alone. */
const inThread = /^server\/src\/platform\/pdf\/(pdf\.thread|sheet|labels|lay-out|fonts)\.ts$/;

function lateFault({ from, to, isEager }: Import): string | undefined {
  return isEager && from.startsWith('server/src/') && !isTest(from) && !inThread.test(from) && late.test(to)
    ? `${from} imports ${to} at once: only when it is needed`
    : undefined;
}

/** The one reader of texts in Markdown is shared by both sides: it needs nothing else, and runs in a browser. */
const isMarkdown = (from: string, to: string) => from === 'contract/src/shared/markdown.ts' && to === 'marked';

/** Nor does what makes the same bytes of a package on the server and on a terminal. */
const isRepack = (from: string, to: string) => from === 'contract/src/app/repack.ts' && to === 'pako';

function packageFault({ from, to }: Import): string | undefined {
  if (componentLibrary.test(to) && !from.startsWith('web/src/ui/')) return `${from} imports ${to}: only web/src/ui does`;
  if (from.startsWith('contract/src/') && !isTest(from) && to !== 'zod' && !isMarkdown(from, to) && !isRepack(from, to))
    return `${from} imports ${to}: the contract needs zod only, and runs in a browser`;
  if (/^web\/src\//.test(from) && !isTest(from) && to.startsWith('node:')) return `${from} imports ${to}: a browser has none`;
  return undefined;
}

const mayPassOn = /^contract\/src\/index\.ts$|^server\/src\/modules\/[^/]+\/api\.ts$/;

function barrelFault(file: SourceFile): string | undefined {
  if (mayPassOn.test(file.path)) return undefined;
  return /(^|\/)index\.tsx?$/.test(file.path) || isBarrel(file) ? `${file.path} is a barrel` : undefined;
}

/** Every import that goes against the direction, every deep reach and every barrel. */
export function importFaults(files: readonly SourceFile[]): string[] {
  const code = files.filter(({ path }) => isCode(path));
  const ofFile = (file: SourceFile) => [
    ...importsOf(file).flatMap((one) => [one.isOurs ? directionFault(one) : packageFault(one), lateFault(one)]),
    barrelFault(file),
  ];
  return code.flatMap(ofFile).filter((fault): fault is string => fault !== undefined);
}
