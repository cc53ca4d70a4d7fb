import { Fault, fault } from '@mooring/contract/kit/fault';
import { type TemplateField, TemplateFields } from '@mooring/contract/paramfile/template-fields';
import type { Db } from '../../platform/context.ts';

export async function templateOf(db: Db, id: number) {
  const row = await db.selectFrom('paramfile_template').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** A template that was saved when more was allowed isn't held against anything: its formats could keep the server busy. */
export function fieldsOf(
  { name, fields }: { readonly name: string; readonly fields: unknown },
  at = 'content.templateId',
): readonly TemplateField[] {
  const read = TemplateFields.safeParse(fields);
  if (read.success) return read.data;
  throw new Fault('PARAM_TEMPLATE_OLD', { params: { name }, fields: { [at]: 'fault.PARAM_TEMPLATE_OLD' } });
}
