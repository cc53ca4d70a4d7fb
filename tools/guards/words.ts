import type { TextTable } from '@mooring/contract/kit/texts';
import type { SourceFile } from './source-files.ts';

type Retired = readonly [phrase: RegExp, better: string];

/**
 * Phrases that people who work with such consoles all day stumbled over, each with what is said instead (docs/glossary.md). The English texts
 * and the documents don't go back to them.
 */
const retired: readonly Retired[] = [
  [/\bfirmware tasks?\b|\bthe task\b|\btask centre\b/i, 'release, or background job'],
  [/\bdone\b(?=.*\bact\b)|\bbulk act\b/i, 'bulk action'],
  [/\bmakers?\b/i, 'manufacturer'],
  [/\btries again by itself\b|\bfirst wait\b/i, 'automatic retries, retry delay'],
  [/\bmade by\b/i, 'created by'],
  [/\blies in stock\b|\bbytes in all\b|\bexpected end\b/i, 'in stock, total download, estimated duration'],
  [/\bthis is needed\b/i, 'Required'],
  [/\bpresent password\b|\bnot bound\b|\bunbind\b/i, 'current password, not set up, remove'],
  [/\bcharacters of the picture\b/i, 'CAPTCHA text'],
  [/\bwhere you are reached\b|\bcancel my account\b|\breal names?\b/i, 'contact details, delete, identity verification'],
  [
    /\bfootprints?\b|\bverify the chain\b|\bcode lists?\b|\brelation links\b/i,
    'user activity, verify log integrity, picklists, footer links',
  ],
  [/\btrusteeship\b|\binto trust\b/i, 'delegated management'],
  [/\bno other system is told\b|\bas the system\b|\bworks for\b/i, 'No webhooks yet, match system, expires after'],
  [/\bmaintenance (and the customer platform|centre|platform)\b|\bcustomer platform switch\b/i, 'Operations, Customer'],
  [/\bworks on\b/i, 'available on'],
  [/\btak(e|es|en|ing)\b[^.|\n]{0,30}?\bback\b/i, 'withdraw, undo, restore'],
];

/** In the sentences of a document these are plain English; on a screen they name something, or somebody reads them as an address. */
const onScreens: readonly Retired[] = [
  [/\bdevices?\b/i, 'terminal'],
  [/\basking\b|\bsays it is\b|\btries\b/i, 'pending, reported model, attempts'],
  [/\blet in\b|\bshut out\b/i, 'accepted, blocked'],
  [/\bgo on\b/i, 'continue, resume'],
  [/\bdigest\b/i, 'checksum'],
  [/\bhand(ed)? in\b/i, 'submit'],
  [/\bstrangers\b|\bnobody\b|\bsomebody\b|\beverybody\b/i, 'no one, someone, everyone'],
  [/\brefus(e|es|ed|ing)\b/i, 'reject, of people; that a server or a terminal refuses is allowed by key'],
  [/\bdifferences?\b|\bobservation time\b/i, 'delta package; wait before next ring'],
  [/\breboots?\b|\brebooted\b/i, 'restart'],
  [/\balert (recipients|receivers)\b|\balarm recipients\b/i, 'alarm receivers'],
];

/** In Chinese texts; the words beside them are what all others say. */
const retiredChinese: readonly Retired[] = [
  [/网络钩子/, 'Webhook'],
  [/禁用/, '停用'],
];

/** What ends a phrase may be its plural. */
const orMany = ([phrase, better]: Retired): Retired => [
  new RegExp(phrase.source.replace(/(?<=[\w)?])\\b/g, '(?:e?s)?\\b'), phrase.flags),
  better,
];
const [everywhere, onAScreen] = [retired.map(orMany), onScreens.map(orMany)];

/** Without the names of its values, which nobody reads. */
const spoken = (message: string) => message.replace(/\{\w+(, (plural|select|number|date)|\})/g, '');

/** Texts that hold a retired phrase. Specified words of a protocol stand in `allowed`, by key. */
export function retiredFaults(tables: Readonly<Record<string, TextTable>>, allowed: Readonly<Record<string, string>>): string[] {
  return Object.values(tables).flatMap((table) =>
    Object.entries(table).flatMap(([key, [en, zh]]) => [
      ...[...everywhere, ...onAScreen]
        .filter(([phrase]) => phrase.test(spoken(en)) && !(key in allowed))
        .map(([phrase, better]) => `${key}: “${en}” says ${phrase}, better ${better}`),
      ...retiredChinese
        .filter(([phrase]) => phrase.test(spoken(zh)))
        .map(([phrase, better]) => `${key}: “${zh}” says ${phrase}, better ${better}`),
    ]),
  );
}

/** What people read about the product; the rest is history, or about its making. */
const isDocument = (path: string) => /^(README|docs\/(operate|device-protocol|glossary|access|api))\.md$/.test(path);
const withoutCode = (text: string) =>
  text
    .replace(/```.*?```/gs, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\b\w+(:\w+)+\b/g, '');

/** Documents that hold a retired phrase outside of their code. */
export function retiredInDocuments(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isDocument(path))
    .flatMap(({ path, text }) => {
      // A sentence goes on over the end of its line; a table's row doesn't.
      const lines = withoutCode(text).replace(/\n(?=[^\n|#*-])/g, ' ');
      return everywhere.flatMap(([phrase, better]) => {
        const found = phrase.exec(lines)?.[0];
        return found ? [`${path} says “${found}”, better ${better}`] : [];
      });
    });
}

/** Names of pages, fields and buttons in a document, _Settings → Registration_, that no text of the console has. */
export function screenNameFaults(files: readonly SourceFile[], english: ReadonlySet<string>, allowed: ReadonlySet<string>): string[] {
  return files
    .filter(({ path }) => isDocument(path))
    .flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/(?<![\w*])_([A-Z][^_]*?)_(?![\w*])/g)].flatMap(([, said = '']) =>
        said
          .split('→')
          .map((part) => part.replace(/\s+/g, ' ').trim())
          .filter((part) => !english.has(part) && !allowed.has(said))
          .map((part) => `${path} names _${part}_, which the console doesn’t have`),
      ),
    );
}
