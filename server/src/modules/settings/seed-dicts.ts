import { systemDicts } from '@mooring/contract/settings/dicts';
import type { Db } from '../../platform/context.ts';

/** The lists that the product needs are there from the first start; what people added or changed stays. */
export async function seedDicts(db: Db): Promise<void> {
  for (const dict of systemDicts) {
    const { id } = await db
      .insertInto('settings_dict')
      .values({ code: dict.code, name: dict.name, remark: dict.remark, system: true })
      .onConflict((on) => on.column('code').doUpdateSet({ system: true }))
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [at, value] of dict.values.entries()) {
      await db
        .insertInto('settings_dict_entry')
        .values({
          dict_id: id,
          value,
          text_key: `${dict.names ?? ''}${value}`,
          sort: (at + 1) * 10,
          system: true,
          picture: dict.drawn ? value : null,
        })
        .onConflict((on) => on.columns(['dict_id', 'value']).doUpdateSet({ system: true }))
        .execute();
    }
    const first = await db.selectFrom('settings_dict_entry').select('id').where('dict_id', '=', id).limit(1).executeTakeFirst();
    if (first) continue;
    for (const [at, [value, [en, zh, ar]]] of Object.entries(dict.open ?? {}).entries()) {
      await db
        .insertInto('settings_dict_entry')
        .values({ dict_id: id, value, labels: JSON.stringify({ en, 'zh-CN': zh, ar }), sort: (at + 1) * 10 })
        .execute();
    }
  }
}
