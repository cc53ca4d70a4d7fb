import { t } from '../../ui/words.ts';

export type Value = string | number | boolean;
/** A value as people read it; of a secret only that it is set. */
export const valueWords = (value: Value | null): string =>
  value === null ? t('androidParam.set') : typeof value === 'boolean' ? t(value ? 'kit.yes' : 'kit.no') : String(value);
