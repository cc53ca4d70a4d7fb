import type { TextTable } from '@mooring/contract/kit/texts';

/**
 * Phrases that people who work with such consoles all day stumbled over, each with what is said instead (docs/glossary.md). The English texts
 * don't go back to them.
 */
const retired: readonly (readonly [RegExp, string])[] = [
  [/\bdevices?\b/i, 'terminal'],
  [/\bfirmware tasks?\b|\bthe task\b|\btask centre\b/i, 'release, or background job'],
  [/\bdone\b(?=.*\bact\b)|\bbulk act\b/i, 'bulk action'],
  [/\basking\b|\bsays it is\b|\btries\b/i, 'pending, reported model, attempts'],
  [/\bmaker\b/i, 'manufacturer'],
  [/\blet in\b|\bshut out\b/i, 'accepted, blocked'],
  [/\btries again by itself\b|\bfirst wait\b/i, 'automatic retries, retry delay'],
  [/\bgo on\b|\btake back\b|\btaken back\b/i, 'continue, resume, withdraw'],
  [/\bmade by\b/i, 'created by'],
  [/\bdigest\b/i, 'checksum'],
  [/\blies in stock\b|\bbytes in all\b|\bexpected end\b/i, 'in stock, total download, estimated duration'],
  [/\bthis is needed\b/i, 'Required'],
  [/\bpresent password\b|\bnot bound\b|\bunbind\b/i, 'current password, not set up, remove'],
  [/\bcharacters of the picture\b/i, 'CAPTCHA text'],
  [
    /\bwhere you are reached\b|\bcancel my account\b|\bhand(ed)? in\b|\breal names?\b/i,
    'contact details, delete, submit, identity verification',
  ],
  [
    /\bfootprints?\b|\bverify the chain\b|\bcode lists?\b|\brelation links\b/i,
    'user activity, verify log integrity, picklists, footer links',
  ],
  [/\btrusteeship\b|\binto trust\b/i, 'delegated management'],
  [/\bstrangers\b|\bnobody\b|\bsomebody\b|\beverybody\b/i, 'no one, someone, everyone'],
  [/\bno other system is told\b|\bas the system\b|\bworks for\b/i, 'No webhooks yet, match system, expires after'],
  [/\bmaintenance (centre|platform)\b|\bcustomer platform switch\b/i, 'Operations, Customer'],
];

/** Without the names of its values, which nobody reads. */
const spoken = (message: string) => message.replace(/\{\w+(, (plural|select|number|date)|\})/g, '');

/** English texts that hold a retired phrase. Specified words of a protocol stand in `allowed`, by key. */
export function retiredFaults(tables: Readonly<Record<string, TextTable>>, allowed: Readonly<Record<string, string>>): string[] {
  return Object.values(tables).flatMap((table) =>
    Object.entries(table).flatMap(([key, [en]]) =>
      retired
        .filter(([phrase]) => phrase.test(spoken(en)) && !(key in allowed))
        .map(([phrase, better]) => `${key}: “${en}” says ${phrase}, better ${better}`),
    ),
  );
}
