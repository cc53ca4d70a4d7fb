import type { DataType } from '@mooring/contract/product/thing-types';
import { type Format, type T, useFormat, useT } from '../../ui/words.ts';

/** As many as a number has. */
export const ALL_DIGITS = 20;

const range = (format: Format, min: number | null, max: number | null) => {
  if (min === null && max === null) return '';
  return `${min === null ? '' : format.number(min, ALL_DIGITS)} … ${max === null ? '' : format.number(max, ALL_DIGITS)}`.trim();
};

/** What a value may be, in a line. */
function wordsOfType(t: T, format: Format, type: DataType): string {
  const name = t(`model.type.${type.kind}`);
  switch (type.kind) {
    case 'enum':
      return `${name}: ${type.values.map((one) => one.label).join(', ')}`;
    case 'bool':
      return `${name}: ${type.yes} / ${type.no}`;
    case 'text':
      return `${name}, ${t('model.maxLength')}: ${format.number(type.maxLength)}`;
    case 'date':
      return name;
    case 'struct':
      return t('model.type.structOf', { fields: type.fields.map((one) => one.id).join(', ') });
    case 'array':
      return t('model.type.arrayOf', { count: format.number(type.maxItems), type: wordsOfType(t, format, type.item) });
    default:
      return [name, range(format, type.min, type.max), type.unit ?? ''].filter(Boolean).join(' · ');
  }
}

export function useTypeWords(): (type: DataType) => string {
  const t = useT();
  const format = useFormat();
  return (type) => wordsOfType(t, format, type);
}
