import { isCode, type SourceFile } from './source-files.ts';

/** Words of a language that only this project spoke, as parts of a name, each with what the field says (docs/glossary.md). */
const parts: Readonly<Record<string, string>> = {
  house: 'app',
  doorkeeper: 'authenticator',
  doors: 'signIn',
  lives: 'machines',
  untell: 'revokeMessages',
  stranger: 'unknownDevice, outsider',
  strangers: 'unknownDevices',
  carriers: 'transports',
};

/** Whole names; the same word may be right inside of another. */
const names: Readonly<Record<string, string>> = {
  Life: 'Machine',
  living: 'statefulTable',
  Living: 'StatefulTable',
  noteBirth: 'recordCreated',
  toldLives: 'webhookEvents',
  fewOf: 'concurrencyLimit',
  tendHeap: 'setV8Flags',
  newestBoard: 'latestValueBuffer',
  leaseWheel: 'timerWheel',
  shutOut: 'revokedCertificates',
  inTheGate: 'allowedBefore…',
  touchPaths: 'invalidatePaths',
  markOf: 'metadataOf',
  hasMark: 'hasMetadata',
  Offers: 'allowedActions',
  offersOf: 'allowedEvents',
  rowAct: 'rowAction',
  raise: 'notify',
};
const asMachine = /[a-z]Life$/;

/** Of a file: a folder or a part between dashes. */
const files =
  /(^|[/-])(house|lives|life|told|untell|doors?|strangers?|heap|upkeep|doorkeeper|carriers|standing|gather|touch|few-of|newest|lease-wheel|take)([-./]|$)/;
/** Names that outlive a process, and what means what it says: an outbound door, a timer. */
const right = /^(database\/|docs\/adr\/|server\/src\/platform\/outbound\/door|e2e\/)/;

const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*/g;
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);

function instead(name: string): string | undefined {
  if (Object.hasOwn(names, name)) return names[name];
  if (asMachine.test(name)) return name.replace(/Life$/, 'Machine');
  const part = partsOf(name).find((one) => Object.hasOwn(parts, one));
  return part && parts[part];
}

function identifierFaults({ path, text }: SourceFile): string[] {
  const found = new Map<string, string>();
  for (const [name] of text.matchAll(token)) {
    const better = /^[A-Za-z_$]/.test(name) ? instead(name) : undefined;
    if (better) found.set(name, better);
  }
  return [...found].map(([name, better]) => `${path}: ${name} is called ${better} (docs/glossary.md)`);
}

/** Names in code and of files that hold a retired word. */
export const retiredNames = (sources: readonly SourceFile[]): string[] =>
  sources
    .filter(({ path }) => !right.test(path) && !path.startsWith('tools/guards/retired-identifiers'))
    .flatMap((file) => [
      ...(files.test(file.path) && !file.path.startsWith('docs/') ? [`${file.path}: the file has a retired name (docs/glossary.md)`] : []),
      ...(isCode(file.path) ? identifierFaults(file) : []),
    ]);
