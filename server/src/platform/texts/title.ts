import type { TextKey } from '@mooring/contract/texts';
import { t } from './translate.ts';

/** What a column is called: a text, or one that names something in it. */
export type Title = TextKey | { readonly key: TextKey; readonly params: Readonly<Record<string, string>> };

// A header is compared with what people typed, who see no marks between two directions of writing.
const MARKS = /[\u200e\u200f\u2066-\u2069]/g;

export const titleIn = (lang: string, title: Title): string =>
  typeof title === 'string' ? t(lang, title) : t(lang, title.key, title.params).replace(MARKS, '');

/** As it is answered: its key, which is read in whatever language the console speaks; with something in it, as it reads. */
export const titleFor = (lang: string, title: Title): string => (typeof title === 'string' ? title : titleIn(lang, title));
