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
  [/\bhalt at\b|\bruns now\b|\bin work\b/i, 'stop when failures reach, current version, in progress'],
  [/\bmost at once\b|\bmost new downloads\b|\bequal characters\b/i, 'max concurrent, max downloads per minute, repeated characters'],
  [/\bwrong tr(y|ies)\b|\bin any case\b/i, 'failed attempts, maximum session'],
  [/\bexpected and asking\b|\bchecksum wrong\b/i, 'enrolment, checksum mismatch'],
  [
    /\brun this on the terminal\b|\bfound when people\b|\bmy tasks\b/i,
    'start virtual terminals with, public registration, background jobs',
  ],
  [/\bwhat it opens\b|\bwhat would this person see\b|\bcomes with the product\b/i, 'permissions, menu preview, built in'],
  [/\bconnected since\b|\b(publish|save|delete|import) done\b/i, 'connected for; what happened to what'],
];

/** What the console and its manual say, which are read in many languages and in a hurry. */
const inTheConsole: readonly Retired[] = [
  [/\bgo on\b/i, 'continue, resume'],
  [/\blets? in\b|\bshuts? out\b/i, 'accepted, blocked'],
  [/\bnobody\b|\bsomebody\b|\beverybody\b/i, 'no one, someone, everyone'],
  [/\brefus(e|es|ed|ing)\b/i, 'reject, of people; isn’t accepted; that a server or a terminal refuses is allowed by key'],
  [/\bcurve\b|\banew\b|\bmend(s|ed|ing)?\b/i, 'progress over time, again, fix'],
  [/\bno more(?=\W*$|[.,;|])|\bfor ever\b/i, 'no longer, permanently'],
];

/** In the sentences of a document these are plain English; on a screen they name something, or somebody reads them as an address. */
const onScreens: readonly Retired[] = [
  [/\bdevices?\b/i, 'terminal'],
  [/\basking\b|\bsays it is\b|\btries\b/i, 'pending, reported model, attempts'],
  [/^(gets|act|to whom)$/i, 'receives, action, targets'],
  [/\bdigest\b/i, 'checksum'],
  [/\bhand(ed)? in\b/i, 'submit'],
  [/\bstrangers\b/i, 'anyone'],
  [/\bdifferences?\b|\bobservation time\b/i, 'delta package; wait before next ring'],
  [/\breboots?\b|\brebooted\b/i, 'restart'],
  [/\balert (recipients|receivers)\b|\balarm recipients\b/i, 'alarm receivers'],
];

/** In the sentences of the manual. */
const inTheManual: readonly Retired[] = [
  [/\b(is|are|be) told\b/i, 'is notified'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bin contact\b|\bhand(ed)? in\b|\bpapers\b/i, 'online, submit, documents'],
  [/\bstands? (here|there|beside|under|above|below)\b/i, 'is shown, is listed'],
  [/\bgoes on\b|\bbesides\b|\bsays it is\b/i, 'continues, as well, reported'],
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
const everywhere = retired.map(orMany);
const onAScreen = [...retired, ...inTheConsole, ...onScreens].map(orMany);
const inAnArticle = [...retired, ...inTheConsole, ...inTheManual].map(orMany);

/** Without the names of its values, which nobody reads. */
const spoken = (message: string) => message.replace(/\{\w+(, (plural|select|number|date)|\})/g, '');

/** Texts that hold a retired phrase. Specified words of a protocol stand in `allowed`, by key. */
export function retiredFaults(tables: Readonly<Record<string, TextTable>>, allowed: Readonly<Record<string, string>>): string[] {
  return Object.values(tables).flatMap((table) =>
    Object.entries(table).flatMap(([key, [en, zh]]) => [
      ...onAScreen
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
const retiredIn = (path: string): readonly Retired[] => {
  if (isDocument(path)) return everywhere;
  if (path.startsWith('docs/help/en/')) return inAnArticle;
  return path.startsWith('docs/help/zh-CN/') ? retiredChinese : [];
};
/** Nor the head of an article, and the console's own words and addresses in it. */
const withoutCode = (text: string) =>
  text
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/\{\{[^}]*\}\}|(?<=\])\([^)\s]*\)/g, '')
    .replace(/```.*?```/gs, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\b\w+(:\w+)+\b/g, '');

/** Documents, and articles of the manual, that hold a retired phrase outside of their code. */
export function retiredInDocuments(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const phrases = retiredIn(path);
    if (phrases.length === 0) return [];
    // A sentence goes on over the end of its line; a table's row doesn't.
    const lines = withoutCode(text).replace(/\n(?=[^\n|#*-])/g, ' ');
    return phrases.flatMap(([phrase, better]) => {
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
