import { valueFault } from '@mooring/contract/product/thing-model';
import type { DataType } from '@mooring/contract/product/thing-types';
import { ALL_DIGITS } from '../../../kit/thing/type-words.ts';
import { type Format, type T, useFormat, useLooseT, useT } from '../../../ui/words.ts';

type Json = unknown;
const raw = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

function wordsOfValue(t: T, format: Format, type: DataType, value: Json): string {
  // A number out of its range is one all the same.
  if ('unit' in type && typeof value === 'number')
    return format.straight([format.number(value, ALL_DIGITS), type.unit].filter(Boolean).join(' '));
  if (valueFault(type, value)) return raw(value) ?? '';
  switch (type.kind) {
    case 'enum':
      return type.values.find((one) => one.value === value)?.label ?? raw(value);
    case 'bool':
      return value ? type.yes : type.no;
    case 'text':
      return String(value);
    case 'date':
      return format.moment(String(value), 'second');
    case 'struct':
      return type.fields
        .map((field) => `${field.name}: ${wordsOfValue(t, format, field.dataType, (value as Record<string, Json>)[field.id])}`)
        .join(' · ');
    case 'array':
      return (value as Json[]).map((one) => wordsOfValue(t, format, type.item, one)).join(', ') || t('thing.list.empty');
    default:
      return raw(value);
  }
}

/** A value as a person reads it: the label of a choice, a number with its unit; what doesn't fit stands as it came. */
export function useValueWords(): (type: DataType, value: Json) => string {
  const t = useT();
  const format = useFormat();
  return (type, value) => wordsOfValue(t, format, type, value);
}

/** The values of a service or an event by the names of the model; those that it doesn't name by their own. */
export function useFieldWords(): (fields: readonly { id: string; name: string; dataType: DataType }[], values: unknown) => string {
  const valueWords = useValueWords();
  return (fields, values) => {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return values === null ? '' : (raw(values) ?? '');
    return Object.entries(values)
      .map(([id, value]) => {
        const field = fields.find((one) => one.id === id);
        return field ? `${field.name}: ${valueWords(field.dataType, value)}` : `${id}: ${raw(value)}`;
      })
      .join(' · ');
  };
}

interface Fault {
  readonly problem: string;
  readonly limit?: number | undefined;
  readonly at?: string;
}
/** What is wrong with a value, and where in it. */
export function useMisfitWords(): (fault: Fault) => string {
  const loose = useLooseT();
  return ({ problem, limit, at }) => {
    const words = loose(`thing.wrong.${problem}`, problem, limit === undefined ? {} : { limit });
    return at ? `${at}: ${words}` : words;
  };
}

/** Why a terminal didn't do it. */
export function useReasonWords(): (asked: { readonly reason: string | null; readonly message: string | null }) => string {
  const loose = useLooseT();
  return ({ reason, message }) => [loose(`thing.reason.${reason ?? 'unknown'}`, reason ?? ''), message].filter(Boolean).join(': ');
}
