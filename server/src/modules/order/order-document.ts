import { FAULTS, type orderCalls } from '@mooring/contract/order/calls';
import { isFree } from '@mooring/contract/order/state-machines';
import { type FormatContext, formatMoment, formatMoney, formatNumber } from '@mooring/contract/shared/format';
import { centsOf, Part } from '@mooring/contract/shared/money';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Handler } from '../../platform/module.ts';
import { PAGE, PAGES, type PdfPart } from '../../platform/pdf/document.ts';
import { drawPdf } from '../../platform/pdf/draw-pdf.ts';
import { dictLabels } from '../../platform/texts/dict-label.ts';
import { t } from '../../platform/texts/translate.ts';
import type { Answer } from './act.ts';
import { documentPhotos } from './document-photos.ts';
import { together } from './order-row.ts';

/** Steps of the history that a document names; the newest. */
const STEPS = 60;

type Fact = readonly [name: string, value: string];
interface Step {
  readonly event: string;
  readonly by_name: string;
  readonly at: Date;
}

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

function partiesOf({ say, day, moment }: Words, row: Answer, faultLabel: string): PdfPart[] {
  const warranty = row.warrantyUntil === null ? 'none' : row.inWarranty ? 'until' : 'over';
  const terminal: Fact[] = [
    [say('order.deviceId'), together(row.sn, row.productName)],
    [say('order.replacementId'), row.replacementSn],
    [say('order.merchantId'), together(row.merchantName, row.shopName)],
    [say('order.fault'), faultLabel],
    [say('order.description'), row.description],
    [say('order.warranty'), say(`order.warranty.${warranty}`, { date: day(row.warrantyUntil) })],
    [say('order.warrantyDecision'), row.warranty === 'none' ? '' : together(say(`life.orderWarranty.${row.warranty}`), row.warrantyReason)],
  ];
  const contact: Fact[] = [
    [say('order.deptId'), row.deptName],
    [say('order.partnerId'), row.partnerName],
    [say('order.partnerAddress'), row.partnerAddress],
    [say('order.engineerId'), row.engineer],
    [say('order.contactName'), together(row.contactName, row.phone)],
    [say('order.address'), row.address],
    [say('order.shipping.out'), together(row.outCarrier, row.outNumber)],
    [say('order.shipping.back'), together(row.backCarrier, row.backNumber)],
    [say('order.dueOn'), day(row.dueOn)],
    [say('order.createdAt'), together(moment(row.createdAt), row.createdBy)],
    [say('order.closedAt'), moment(row.closedAt)],
  ];
  return [
    { kind: 'heading', text: say('order.section.terminal') },
    { kind: 'facts', rows: terminal },
    { kind: 'heading', text: say('order.section.contact') },
    { kind: 'facts', rows: contact },
  ];
}

function repairOf({ say, money, number }: Words, row: Answer): PdfPart[] {
  if (row.diagnosis === '' && row.workDone === '' && row.reason === '') return [];
  const costs = (cents: number) => money(cents, row.currency);
  const parts = row.parts.map((part) => Part.parse(part));
  const facts: Fact[] = [
    [say('order.diagnosis'), row.diagnosis],
    [say('order.workDone'), row.workDone],
    [say('order.reason'), row.reason],
    [say('order.costs'), row.costs === 'none' ? '' : say(`life.orderCost.${row.costs}`)],
  ];
  const about: PdfPart[] = [
    { kind: 'heading', text: say('order.repair') },
    { kind: 'facts', rows: facts },
  ];
  const lines = parts.map(({ name, quantity, price }) => [
    name,
    number(quantity),
    price && costs(centsOf(price)),
    price && costs(quantity * centsOf(price)),
  ]);
  if (row.labour !== '') lines.push([say('order.labour'), '', '', costs(centsOf(row.labour))]);
  if (lines.length === 0) return about;
  const table: PdfPart = {
    kind: 'table',
    columns: [
      { title: say('order.document.item'), share: 0.46 },
      { title: say('order.document.quantity'), share: 0.14, side: 'end' },
      { title: say('order.document.price'), share: 0.2, side: 'end' },
      { title: say('order.document.amount'), share: 0.2, side: 'end' },
    ],
    rows: lines,
    total: [say('order.total'), costs(row.total)],
  };
  return [...about, table, ...(isFree(row) ? [{ kind: 'words', text: say('order.repair.free') } as const] : [])];
}

function photosOf({ say }: Words, pictures: readonly Uint8Array[]): PdfPart[] {
  if (pictures.length === 0) return [];
  return [
    { kind: 'heading', text: say('order.photos') },
    { kind: 'pictures', pictures },
  ];
}

function stepsOf({ say, moment }: Words, steps: readonly Step[]): PdfPart[] {
  if (steps.length === 0) return [];
  const nameOf = (event: string) => [`event.order.${event}`, `order.entry.${event}`].map((key) => [key, say(key)] as const);
  const rows = steps.map(({ event, by_name, at }): Fact => {
    const [, said = event] = nameOf(event).find(([key, text]) => text !== key) ?? [];
    return [moment(at), together(said, by_name)];
  });
  return [
    { kind: 'heading', text: say('order.document.steps') },
    { kind: 'facts', rows },
  ];
}

/** As it stands now, for whoever keeps it on paper or sends it on. */
export const orderDocument =
  (store: BlobStore, read: (ctx: Ctx, id: number, db: Db) => Promise<Answer>): Handler<typeof orderCalls.document> =>
  async (ctx, { id }, wire) => {
    const { row, fault: faultLabel, steps } = await ctx.inTx((db) => gather(ctx, db, () => read(ctx, id, db)));
    const words = wordsFor(ctx);
    const { say, moment } = words;
    const bytes = await drawPdf(ctx.actor.userId, async () => ({
      title: `${say('order.one')} ${row.number}`,
      lang: ctx.lang,
      now: ctx.now(),
      parts: [
        { kind: 'title', text: row.number, note: together(say('order.one'), say(`life.order.${row.state}`), moment(ctx.now())) },
        ...partiesOf(words, row, faultLabel),
        ...repairOf(words, row),
        ...photosOf(words, await documentPhotos(ctx, store, row.photos)),
        ...stepsOf(words, steps),
      ],
      foot: together(row.number, say('order.document.page', { page: PAGE, pages: PAGES })),
    }));
    wire.reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${row.number}.pdf`)}`,
      'cache-control': 'private, no-store',
    });
    return bytes;
  };
