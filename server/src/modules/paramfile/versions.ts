import type { OutputOf } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { fieldChangesOf } from '@mooring/contract/paramfile/field-changes';
import type { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import type { TemplateField } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';

const SHOWN = 100;

export async function versionsOf({ db }: Ctx, { templateId }: { readonly templateId: number }) {
  const rows = await db
    .selectFrom('paramfile_template_version')
    .select(['no', sql<number>`jsonb_array_length(fields)`.as('fieldCount'), 'created_by as createdBy', 'created_at as createdAt'])
    .where('template_id', '=', templateId)
    .orderBy('no', 'desc')
    .limit(SHOWN)
    .execute();
  return rows;
}

interface Two {
  readonly templateId: number;
  readonly from: number;
  readonly to: number;
}
/** As they were saved, whatever the rules for saving are today. */
async function fieldsAt({ db }: Ctx, templateId: number, no: number): Promise<readonly TemplateField[]> {
  const row = await db
    .selectFrom('paramfile_template_version')
    .select('fields')
    .where('template_id', '=', templateId)
    .where('no', '=', no)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row.fields as unknown as readonly TemplateField[];
}

export async function differenceOf(ctx: Ctx, { templateId, from, to }: Two): Promise<OutputOf<typeof paramResultCalls.difference>> {
  const [before, after] = [await fieldsAt(ctx, templateId, from), await fieldsAt(ctx, templateId, to)];
  return fieldChangesOf(before, after).map(({ parts, ...change }) => ({ ...change, parts: parts.map((part) => ({ ...part })) }));
}
