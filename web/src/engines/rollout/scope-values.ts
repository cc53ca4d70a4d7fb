import { narrowsNothing, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import type { Values } from '../../kit/form/types.ts';

/** Serial numbers out of whatever was pasted or read from a file. */
export const splitSns = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;"']+/)
    .filter((sn) => sn !== '' && sn !== 'SN');
/** The same, each once. */
export const readSns = (text: string): string[] => [...new Set(splitSns(text))];

const own: Readonly<Record<string, readonly string[]>> = {
  '0': [],
  '1': ['deptIds', 'groupIds', 'merchantIds', 'firmware', 'tags', 'updatedBy'],
  '2': ['sns'],
};

/** Left out where nothing is chosen: by what it is agreed to, an older release stays what it was. */
const optional: readonly string[] = ['groupIds', 'merchantIds'];
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;

/** The scope as the call wants it: only the fields of its kind. */
export function scopeOf(values: Values): Values {
  const kind = String(values.releaseScope ?? '0');
  return {
    releaseScope: kind,
    ...Object.fromEntries(
      (own[kind] ?? [])
        .filter((name) => !optional.includes(name) || isFilled(values[name]))
        .map((name) => [name, values[name] ?? (name === 'updatedBy' ? null : [])]),
    ),
  };
}
/** A filter has a condition, as far as it can be read. */
export function isNarrow(value: unknown): boolean {
  const { data } = TaskScope.safeParse(value);
  return data === undefined || !narrowsNothing(data);
}
/** Enough is said to release by. */
export const isScope = (value: unknown): value is TaskScope => isNarrow(value) && TaskScope.safeParse(value).success;
