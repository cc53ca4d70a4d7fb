import { t } from '../../ui/words.ts';

/** A package's name; one that only changes another says so, a whole one is the usual case. */
export const withKind = (name: string, kind: string): string => (kind === 'DI' ? `${name} · ${t('firmware.package.kind.DI')}` : name);
