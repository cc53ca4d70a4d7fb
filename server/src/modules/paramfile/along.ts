import { Fault } from '@mooring/contract/kit/fault';
import type { AndroidParamsKept } from '@mooring/contract/paramfile/android-calls';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import { ownCurrent } from './drift.ts';
import { sectionOf } from './result.ts';
import { fieldsOf, templateOf } from './template-of.ts';

type Noted = Pick<z.output<typeof AndroidParamsKept>, 'templateId' | 'templateName' | 'templateRevision'>;

/** A template whose results travel along with something else: what the release notes of it, and the product that it is for, if for one alone. */
export async function templateAlong(db: Db, id: number): Promise<{ readonly noted: Noted; readonly productId: number | null }> {
  const { name, revision, product_id } = await templateOf(db, id);
  return { noted: { templateId: id, templateName: name, templateRevision: revision }, productId: product_id };
}
export const noneAlong = { noted: { templateId: null, templateName: '', templateRevision: null } };

/** It must be readable, and for one of the products that it would travel to. Faults: PARAM_PRODUCT, PARAM_TEMPLATE_OLD. */
export async function checkAlong(db: Db, id: number, products: readonly number[]): Promise<void> {
  const template = await templateOf(db, id);
  fieldsOf(template);
  if (template.product_id !== null && !products.includes(template.product_id))
    throw new Fault('PARAM_PRODUCT', { fields: { 'content.templateId': 'fault.PARAM_PRODUCT' } });
}

const MOST = 50;
/** Those that `checkAlong` lets travel to one of these products, the newest first. */
export const templatesAlong = (db: Db, products: readonly number[], text: string) =>
  db
    .selectFrom('paramfile_template as t')
    .leftJoin('product_product as p', 'p.id', 't.product_id')
    .select(['t.id', 't.name', 'p.name as productName'])
    .where((eb) => eb.or([eb('t.product_id', 'is', null), eb('t.product_id', '=', sql<number>`any(${[...products]}::bigint[])`)]))
    .where(all(containsWords(['t.name', 't.remark'], text || undefined)))
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(MOST)
    .execute();

/** Of a device `d` that has today's result of a template, `own`; of another one something else, or nothing. */
export const resultOn = (id: number): RawBuilder<string | null> => ownCurrent(id, sectionOf(id));
