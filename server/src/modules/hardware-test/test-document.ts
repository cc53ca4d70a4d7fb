import type { hardwareTestCalls, PartResult } from '@mooring/contract/hardware-test/calls';
import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { type FormatContext, formatMoment, formatNumber } from '@mooring/contract/shared/format';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { PAGE, PAGES } from '../../platform/pdf/document.ts';
import { drawPdf } from '../../platform/pdf/draw-pdf.ts';
import { t } from '../../platform/texts/translate.ts';
import { resultsOf } from './results-of.ts';

type At = Date | string;
interface Row {
  readonly id: number;
  readonly sn: string;
  readonly state: string;
  readonly parts: readonly HardwarePart[];
  readonly failedParts: readonly HardwarePart[];
  readonly productName: string;
  readonly deptName: string;
  readonly reason: string | null;
  readonly byName: string | null;
  readonly createdAt: At;
  readonly startedAt: At | null;
  readonly endedAt: At | null;
  readonly expiresAt: At;
}
const together = (...parts: readonly string[]) => parts.filter(Boolean).join(' · ');

/** The words of a report, in the language and zone of whoever asks. What a terminal made up stands as it came. */
function wordsFor({ lang, timeZone }: Ctx) {
  const zone: FormatContext = { locale: lang, timeZone };
  const say = (key: string, params?: Readonly<Record<string, string>>) => t(lang, key, params);
  const loose = (key: string, otherwise: string) => (say(key) === key ? otherwise : say(key));
  const number = (value: number) => formatNumber(value, lang);
  return {
    say,
    moment: (value: Date | string | null) => (value === null ? '' : formatMoment(value, zone)),
    reason: (reason: string | null) => (reason === null ? '' : loose(`hardwareTest.reason.${reason}`, reason)),
    figures: (figures: PartResult['figures']) =>
      together(
        ...Object.entries(figures).map(
          ([name, value]) => `${loose(`hardwareTest.figure.${name}`, name)}: ${typeof value === 'number' ? number(value) : String(value)}`,
        ),
      ),
  };
}

/** A test as it stands now, for whoever keeps it with the terminal. */
export const testDocument =
  (read: (ctx: Ctx, id: number, db: Db) => Promise<Row>): Handler<typeof hardwareTestCalls.document> =>
  async (ctx, { id }, wire) => {
    const { row, results } = await ctx.inTx(async (db) => {
      const found = await read(ctx, id, db);
      return { row: found, results: await resultsOf(db, found) };
    });
    const { say, moment, reason, figures } = wordsFor(ctx);
    const names = (parts: Row['parts']) => parts.map((part) => say(`hardwareTest.part.${part}`)).join(', ');
    const bytes = await drawPdf(ctx.actor.userId, {
      title: `${say('hardwareTest.document.title')} ${row.sn}`,
      lang: ctx.lang,
      now: ctx.now(),
      parts: [
        {
          kind: 'title',
          text: row.sn,
          note: together(say('hardwareTest.document.title'), say(`life.hardwareTest.${row.state}`), moment(ctx.now())),
        },
        {
          kind: 'facts',
          rows: [
            [say('hardwareTest.device'), row.sn],
            [say('device.product'), row.productName],
            [say('device.dept'), row.deptName],
            [say('hardwareTest.failedParts'), names(row.failedParts)],
            [say('hardwareTest.reason'), reason(row.reason)],
            [say('hardwareTest.byName'), row.byName ?? ''],
            [say('hardwareTest.createdAt'), moment(row.createdAt)],
            [say('hardwareTest.startedAt'), moment(row.startedAt)],
            [say('hardwareTest.endedAt'), moment(row.endedAt)],
            [say('hardwareTest.expiresAt'), row.endedAt === null ? moment(row.expiresAt) : ''],
          ],
        },
        { kind: 'heading', text: say('hardwareTest.results') },
        {
          kind: 'table',
          columns: [
            { title: say('hardwareTest.part'), share: 0.18 },
            { title: say('hardwareTest.outcome'), share: 0.17 },
            { title: say('hardwareTest.reason'), share: 0.33 },
            { title: say('hardwareTest.figures'), share: 0.32 },
          ],
          rows: results.map((one) => [
            say(`hardwareTest.part.${one.part}`),
            say(`hardwareTest.outcome.${one.outcome ?? 'none'}`),
            together(reason(one.reason), one.message ?? ''),
            figures(one.figures),
          ]),
        },
      ],
      foot: together(row.sn, say('hardwareTest.document.page', { page: PAGE, pages: PAGES })),
    });
    const day = new Date(row.createdAt).toISOString().slice(0, 10);
    wire.reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${row.sn} ${day}.pdf`)}`,
      'cache-control': 'private, no-store',
    });
    return bytes;
  };
