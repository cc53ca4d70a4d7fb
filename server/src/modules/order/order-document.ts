import { FAULTS, type orderCalls } from '@mooring/contract/order/calls';
import { type FormatContext, formatMoment, formatMoney, formatNumber } from '@mooring/contract/shared/format';
import { centsOf, costOf, Part } from '@mooring/contract/shared/money';
import type { Ctx, Db } from '../../platform/context.ts';
import { inTurn } from '../../platform/in-turn.ts';
import type { Handler } from '../../platform/module.ts';
import { pdfSheet, type Sheet } from '../../platform/pdf/sheet.ts';
import { dictLabels } from '../../platform/texts/dict-label.ts';
import { t } from '../../platform/texts/translate.ts';
import type { Answer } from './act.ts';

/** Steps of the history that a document names; the newest. */
const STEPS = 60;
const drawing = inTurn({ atOnce: 2, queue: 20 });

type Fact = readonly [name: string, value: string];
interface Step {
  readonly event: string;
  readonly by_name: string;
  readonly at: Date;
}
const together = (...parts: readonly string[]) => parts.filter(Boolean).join(' · ');

/** What both sides may read of an order: its messages and notes stay in the console. */
async function gather(ctx: Ctx, db: Db, read: (db: Db) => Promise<Answer>) {
  const row = await read(db);
  const labels = await dictLabels(db, ctx.lang, [FAULTS]);
  const steps = await db
    .selectFrom('order_entry')
    .select(['event', 'by_name', 'at'])
    .where('order_id', '=', row.id)
    .where('event', 'is not', null)
    .orderBy('id', 'desc')
    .limit(STEPS)
    .execute();
  return { row, fault: labels.get(FAULTS)?.get(row.fault) ?? row.fault, steps: steps.reverse() as Step[] };
}

/** The words of a document, in the language and zone of whoever asks. */
function wordsFor({ lang, timeZone }: Ctx) {
  const zone: FormatContext = { locale: lang, timeZone };
  const day = (value: string | Date | null) => (value === null ? '' : formatMoment(value, { locale: lang, timeZone: 'UTC' }, 'date'));
  return {
    say: (key: string, params?: Readonly<Record<string, string>>) => t(lang, key, params),
    day,
    moment: (value: Date | string | null) => (value === null ? '' : formatMoment(value, zone)),
    money: (cents: number, currency: '1' | '2') => formatMoney(cents / 100, currency, lang),
    number: (value: number) => formatNumber(value, lang),
  };
}
type Words = ReturnType<typeof wordsFor>;

function drawParties(sheet: Sheet, { say, day, moment }: Words, row: Answer, faultLabel: string): void {
  const warranty = row.warrantyUntil === null ? 'none' : row.inWarranty ? 'until' : 'over';
  sheet.heading(say('order.section.terminal'));
  const facts: Fact[] = [
    [say('order.deviceId'), together(row.sn, row.productName)],
    [say('order.replacementId'), row.replacementSn],
    [say('order.merchantId'), together(row.merchantName, row.shopName)],
    [say('order.fault'), faultLabel],
    [say('order.description'), row.description],
    [say('order.warranty'), say(`order.warranty.${warranty}`, { date: day(row.warrantyUntil) })],
  ];
  sheet.facts(facts);
  sheet.heading(say('order.section.contact'));
  sheet.facts([
    [say('order.deptId'), row.deptName],
    [say('order.partnerId'), row.partnerName],
    [say('order.engineerId'), row.engineer],
    [say('order.contactName'), together(row.contactName, row.phone)],
    [say('order.address'), row.address],
    [say('order.shipping.out'), together(row.outCarrier, row.outNumber)],
    [say('order.shipping.back'), together(row.backCarrier, row.backNumber)],
    [say('order.dueOn'), day(row.dueOn)],
    [say('order.createdAt'), together(moment(row.createdAt), row.createdBy)],
    [say('order.closedAt'), moment(row.closedAt)],
  ]);
}

function drawRepair(sheet: Sheet, { say, money, number }: Words, row: Answer): void {
  if (row.diagnosis === '' && row.workDone === '' && row.reason === '') return;
  const costs = (cents: number) => money(cents, row.currency);
  const parts = row.parts.map((part) => Part.parse(part));
  sheet.heading(say('order.repair'));
  sheet.facts([
    [say('order.diagnosis'), row.diagnosis],
    [say('order.workDone'), row.workDone],
    [say('order.reason'), row.reason],
    [say('order.costs'), row.costs === 'none' ? '' : say(`life.orderCost.${row.costs}`)],
  ]);
  const lines = parts.map(({ name, quantity, price }) => [
    name,
    number(quantity),
    price && costs(centsOf(price)),
    price && costs(quantity * centsOf(price)),
  ]);
  if (row.labour !== '') lines.push([say('order.labour'), '', '', costs(centsOf(row.labour))]);
  if (lines.length === 0) return;
  sheet.table(
    [
      { title: say('order.document.item'), share: 0.46 },
      { title: say('order.document.quantity'), share: 0.14, side: 'end' },
      { title: say('order.document.price'), share: 0.2, side: 'end' },
      { title: say('order.document.amount'), share: 0.2, side: 'end' },
    ],
    lines,
    [say('order.total'), costs(costOf(parts) + centsOf(row.labour))],
  );
  if (row.inWarranty) sheet.words(say('order.repair.free'));
}

function drawSteps(sheet: Sheet, { say, moment }: Words, steps: readonly Step[]): void {
  if (steps.length === 0) return;
  const nameOf = (event: string) => [`event.order.${event}`, `order.entry.${event}`].map((key) => [key, say(key)] as const);
  sheet.heading(say('order.document.steps'));
  sheet.facts(
    steps.map(({ event, by_name, at }) => {
      const [, said = event] = nameOf(event).find(([key, text]) => text !== key) ?? [];
      return [moment(at), together(said, by_name)] as const;
    }),
  );
}

/** As it stands now, for whoever keeps it on paper or sends it on. */
export const orderDocument =
  (read: (ctx: Ctx, id: number, db: Db) => Promise<Answer>): Handler<typeof orderCalls.document> =>
  async (ctx, { id }, wire) => {
    const { row, fault: faultLabel, steps } = await ctx.inTx((db) => gather(ctx, db, () => read(ctx, id, db)));
    const done = await drawing();
    try {
      const words = wordsFor(ctx);
      const { say, moment } = words;
      const sheet = pdfSheet({ title: `${say('order.one')} ${row.number}`, lang: ctx.lang, now: ctx.now() });
      sheet.title(row.number, together(say('order.one'), say(`life.order.${row.state}`), moment(ctx.now())));
      drawParties(sheet, words, row, faultLabel);
      drawRepair(sheet, words, row);
      drawSteps(sheet, words, steps);
      const bytes = await sheet.end((page, pages) =>
        together(row.number, say('order.document.page', { page: String(page), pages: String(pages) })),
      );
      wire.reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${row.number}.pdf`)}`,
        'cache-control': 'private, no-store',
      });
      return bytes;
    } finally {
      done();
    }
  };
