import type { TextKey } from '../../ui/words.ts';

/** Texts of a resource's pages that its domain has under their usual keys: `product.add`, `product.edit`. */
type Usual = 'search' | 'empty' | 'add' | 'edit' | 'delete';
type Has<T extends string, N extends string> = `${T}.${N}` extends TextKey ? N : never;
type Lacking<T extends string> = Exclude<Usual, { [N in Usual]: Has<T, N> }[Usual]>;
/** Those that it has elsewhere or calls otherwise; one that it lacks has to be said. */
export type OwnTexts<T extends string> = [Lacking<T>] extends [never]
  ? { readonly texts?: Partial<Record<Usual, TextKey>> }
  : { readonly texts: Record<Lacking<T>, TextKey> & Partial<Record<Usual, TextKey>> };

export const textsOf = (texts: string, own: { readonly texts?: Partial<Record<Usual, TextKey>> }) => (name: Usual) =>
  own.texts?.[name] ?? (`${texts}.${name}` as TextKey);
