import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/** As it is kept: `of` names the English text that was translated. */
const Kept = z.array(z.object({ lang: z.string(), title: z.string(), body: z.string(), of: z.string().default('') }));
export type Kept = z.output<typeof Kept>;
export const keptIn = (translations: unknown): Kept => Kept.parse(translations ?? []);

interface English {
  readonly title: string;
  readonly body: string;
}
const digestOf = ({ title, body }: English): string =>
  createHash('sha256')
    .update(JSON.stringify([title, body]))
    .digest('base64');

/** A translation that was changed is of the English text that it is saved with; one that wasn't stays of the one that it was. */
export function keptFrom(english: English, given: readonly Omit<Kept[number], 'of'>[], before: Kept): Kept {
  const now = digestOf(english);
  return given.map(({ lang, title, body }) => {
    const earlier = before.find((one) => one.lang === lang && one.title === title && one.body === body);
    return { lang, title, body, of: earlier?.of ?? now };
  });
}
export const outdatedIn = (english: English, kept: Kept): string[] => {
  const now = digestOf(english);
  return kept.filter(({ of }) => of !== now).map(({ lang }) => lang);
};

/** Languages that a reader takes, the closest first: `pt-BR` reads what is written in `pt` too. */
export const languagesFor = (lang: string): string[] => [...new Set([lang, lang.split('-')[0] ?? lang])];

/** Of entries with a language each, one part of the closest for this reader; null where there is none. */
export const partFor = (entries: RawBuilder<unknown>, part: 'title' | 'body' | 'lang' | 'name', lang: string): RawBuilder<string | null> =>
  sql<string | null>`(select x ->> ${sql.lit(part)} from jsonb_array_elements(${entries}) x
    where x ->> 'lang' = any(${languagesFor(lang)}::text[]) order by length(x ->> 'lang') desc limit 1)`;
