import type { z } from 'zod';
import type { Settings } from './messages.ts';

type Values = NonNullable<z.output<typeof Settings>['values']>;

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  );
};

/**
 * The bytes of which a setting's digest is made: JSON without white space, keys in the order of their code units (RFC 8785 for the values
 * that settings have). The digest is the first 16 digits of their SHA-256 in hex.
 */
export const settingsText = (values: Values): string => JSON.stringify(inOrder(values));
export const SETTINGS_DIGEST = 16;
