import type { TextKey } from '@mooring/contract/texts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { english } from '../../platform/texts/texts.ts';
import { literals, t } from '../../platform/texts/translate.ts';

interface Row {
  readonly text_key: string | null;
  readonly params: unknown;
  readonly title: string;
  readonly body: string;
}
/** `settingKey` is the key of a text, which `setting` says in the reader's language; messages of before name none. */
function spoken(params: Record<string, string | number>, lang: string): Record<string, string | number> {
  const keys = Object.entries({ settingKey: 'change.target', ...params }).filter(([name]) => name.endsWith('Key'));
  return { ...params, ...Object.fromEntries(keys.map(([name, key]) => [name.slice(0, -'Key'.length), t(lang, String(key), params)])) };
}

const SAYS = /^message\.say\.(\w+)\./;
const names = new Set([...english.keys()].flatMap((key) => SAYS.exec(key)?.[1] ?? []));
/** By the name of each message what the system says in this language, without what differs from one to the next. */
const sayings = (lang: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...names].map((name) => [name, ['title', 'text'].map((part) => literals(lang, `message.say.${name}.${part}`)).join(' ')]),
  );

/**
 * Where a reader's own messages `m` are searched: in what they say in this language, and with what values. Parameters that name a text are searched by
 * what it says, in which no more texts are looked at than this person's messages name.
 */
export async function searchedOf(db: Db, userId: number, lang: string): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct p.value as key from message_delivery d join message_message m on m.id = d.message_id
      cross join jsonb_each_text(m.params) p where d.user_id = ${userId} and m.text_key is not null and p.key like '%Key'`.execute(db);
  const named = JSON.stringify(Object.fromEntries(rows.map(({ key }) => [key, literals(lang, key)])));
  return [
    sql`m.title`,
    sql`case when m.recalled_at is null then m.body else '' end`,
    sql`(select string_agg(case when p.key like '%Key' then ${named}::jsonb ->> p.value else p.value end, ' ') from jsonb_each_text(m.params) p)`,
    sql`(${JSON.stringify(sayings(lang))}::jsonb ->> m.text_key)`,
  ];
}

/** What a message says to a reader of this language. */
export function wordsOf(row: Row, lang: string): { title: string; text: string } {
  if (!row.text_key) return { title: row.title, text: row.body };
  const params = spoken(row.params as Record<string, string | number>, lang);
  const key = (part: 'title' | 'text') => `message.say.${row.text_key}.${part}` as TextKey;
  return { title: t(lang, key('title'), params), text: t(lang, key('text'), params) };
}
