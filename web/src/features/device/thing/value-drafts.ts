import type { Misfit } from '@mooring/contract/device/thing/check-values';
import type { DataType, ThingField } from '@mooring/contract/product/thing-types';
import type { Words } from '../../../ui/words.ts';

/** A value under way; nothing where nothing was typed yet. */
export type Draft = unknown;
export type Problems = Readonly<Record<string, Words>>;

/** What a control begins with: nothing is said that the person didn't. */
export function blank(type: DataType): Draft {
  switch (type.kind) {
    case 'text':
      return '';
    case 'struct':
      return Object.fromEntries(type.fields.map((field) => [field.id, blank(field.dataType)]));
    case 'array':
      return [];
    default:
      return undefined;
  }
}
export const blankFields = (fields: readonly ThingField[]): Record<string, Draft> =>
  Object.fromEntries(fields.map((field) => [field.id, blank(field.dataType)]));

/** What was left out isn't there. */
export function withoutGaps(draft: Draft): unknown {
  if (Array.isArray(draft)) return draft.map((one) => withoutGaps(one) ?? null);
  if (typeof draft !== 'object' || draft === null) return draft;
  return Object.fromEntries(Object.entries(draft).flatMap(([id, one]) => (one === undefined ? [] : [[id, withoutGaps(one)]])));
}

/** By place, as fields ask for them. */
export const problemsOf = (misfits: readonly Misfit[]): Problems =>
  Object.fromEntries(
    misfits.map(({ at, problem, limit }): [string, Words] => {
      const key = `thing.wrong.${problem}` as const;
      return [at, limit === undefined ? key : { key, params: { limit } }];
    }),
  );

/** What the server found wrong, by the same places. */
export const problemsFrom = (fields: Readonly<Record<string, { message: string }>>, part: 'values' | 'input'): Problems =>
  Object.fromEntries(
    Object.entries(fields).map(([path, { message }]) => [
      path === part ? '' : path.replace(new RegExp(`^${part}\\.`), ''),
      { text: message },
    ]),
  );
