import { buffer } from 'node:stream/consumers';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type labelCalls, TEXT_MAX } from '@mooring/contract/language/label-calls';
import type { Ctx } from '../../platform/context.ts';
import { cut } from '../../platform/cut.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Handler, Wire } from '../../platform/module.ts';
import { xlsx } from '../../platform/work/xlsx.ts';
import { faultOfText } from './check-text.ts';
import { followTexts } from './follow-texts.ts';
import { codeOfLanguage, type Text, textsOf, writeTexts } from './labels.ts';

const HEADER = ['key', 'english', 'text'];
const PACK_BYTES = 8 * 1024 * 1024;
const SHOWN = 100;

/** A language as a file to work on: JSON of key → text, or a sheet with the English beside it. */
export async function exportPack(ctx: Ctx, input: { langCode: string; format: 'xlsx' | 'json'; missingOnly: boolean }, wire: Wire) {
  await followTexts(ctx.db);
  const lang = codeOfLanguage(input.langCode);
  const texts = textsOf(lang).filter((one) => !input.missingOnly || one.state === 'missing');
  async function* rows(list: readonly Text[]) {
    for (const one of list) yield [one.key, one.english, one.text];
  }
  const [type, body] =
    input.format === 'xlsx'
      ? ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', xlsx(HEADER, rows(texts))]
      : [
          'application/json; charset=utf-8',
          JSON.stringify(Object.fromEntries(texts.map((one) => [one.key, one.text ?? ''])), undefined, 2),
        ];
  return wire.reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="mooring-${lang}.${input.format}"`,
      'cache-control': 'no-store',
    })
    .send(body);
}

async function readSheet(bytes: Buffer): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let header: string[] | undefined;
  const { readXlsx } = await import('../../platform/work/read-xlsx.ts');
  for await (const row of readXlsx(bytes, { rows: 20_000, columns: 20, bytes: 64 * 1024 * 1024 })) {
    if (!header) {
      header = row.map((cell) => cell.trim().toLowerCase());
      if (!header.includes('key') || !header.includes('text')) throw new Fault('PACK_BROKEN');
      continue;
    }
    const [key, text] = [row[header.indexOf('key')]?.trim() ?? '', row[header.indexOf('text')]?.trim() ?? ''];
    if (key !== '' && text !== '') texts.set(key, text);
  }
  return texts;
}

function readJson(bytes: Buffer): Map<string, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Fault('PACK_BROKEN');
  }
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw new Fault('PACK_BROKEN');
  const entries = Object.entries(raw);
  if (entries.some(([, text]) => typeof text !== 'string')) throw new Fault('PACK_BROKEN');
  return new Map(entries.map(([key, text]) => [key, String(text).trim()] as const).filter(([, text]) => text !== ''));
}

/** Takes what is right and says what isn't: an unknown key, a broken message, a value that the text never gets. */
export const importPack =
  (store: BlobStore): Handler<typeof labelCalls.import> =>
  async (ctx, { langCode, file, preview }) => {
    const lang = codeOfLanguage(langCode);
    const row = await ctx.inTx((db) =>
      db.selectFrom('file_file').select(['sha256', 'size', 'name']).where('id', '=', file).executeTakeFirst(),
    );
    if (!row) throw fault('NOT_FOUND');
    if (Number(row.size) > PACK_BYTES) throw fault('TOO_LARGE');
    const bytes = await buffer(await store.read(row.sha256));
    const given = bytes.subarray(0, 2).toString() === 'PK' ? await readSheet(bytes) : readJson(bytes);
    await ctx.inTx(followTexts);
    const now = new Map(textsOf(lang).map((one) => [one.key, one]));
    const taken = new Map<string, string>();
    const outcome = { taken: 0, same: 0, unknown: [] as string[], wrong: [] as { key: string; fault: string }[] };
    for (const [key, text] of given) {
      const wrong = text.length > TEXT_MAX ? 'LABEL_BROKEN' : faultOfText(key, text);
      if (wrong === 'LABEL_UNKNOWN') outcome.unknown.push(cut(key, 128));
      else if (wrong) outcome.wrong.push({ key, fault: wrong });
      else if (now.get(key)?.text === text) outcome.same += 1;
      else taken.set(key, text);
    }
    outcome.taken = taken.size;
    if (!preview && taken.size > 0) await ctx.unscoped((db) => writeTexts(ctx, db, lang, taken));
    ctx.audit({
      target: `language ${lang}`,
      after: { preview, taken: outcome.taken, unknown: outcome.unknown.length, wrong: outcome.wrong.length },
    });
    return { ...outcome, unknown: outcome.unknown.slice(0, SHOWN), wrong: outcome.wrong.slice(0, SHOWN) };
  };
