import type { deviceCalls } from '@mooring/contract/device/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { nextCandidates } from '../../platform/db/candidates.ts';
import type { Handler } from '../../platform/module.ts';
import { drawPdf } from '../../platform/pdf/draw-pdf.ts';
import { t } from '../../platform/texts/translate.ts';
import { whichOf } from './run-bulk.ts';

const MOST = 500;

/** Labels of the chosen terminals, by their SN. */
export const deviceLabels: Handler<typeof deviceCalls.labels> = async (ctx, { of }, wire) => {
  const ids = await nextCandidates(ctx, 'device', await whichOf(ctx, of), 0, MOST + 1);
  if (ids.length > MOST) throw new Fault('LABELS_MANY');
  const rows = await ctx.inTx((db) =>
    db
      .selectFrom('device as d')
      .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
      .leftJoin('product_product as p', 'p.id', 'd.product_id')
      .select(['d.sn', 'd.name', 'p.name as product', 'o.name as dept'])
      .where('d.id', 'in', [0, ...ids])
      .orderBy('d.sn')
      .execute(),
  );
  if (rows.length === 0) throw fault('NOT_FOUND');
  const labels = rows.map(({ sn, name, product, dept }) => ({
    code: sn,
    lines: [sn, ...(name === sn ? [] : [name]), product ?? '', dept].filter((line) => line !== ''),
  }));
  const title = t(ctx.lang, 'device.labels.title');
  const bytes = await drawPdf(ctx.actor.userId, { title, lang: ctx.lang, now: ctx.now(), parts: [{ kind: 'labels', labels }], foot: '' });
  wire.reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="labels.pdf"',
    'cache-control': 'private, no-store',
  });
  return bytes;
};
