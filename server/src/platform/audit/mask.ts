import { metadataOf, originOf, walk } from '@mooring/contract/kit/schema';
import type { z } from 'zod';
import { cut } from '../cut.ts';

const MAX_TEXT = 2000;

/** A call's input as the audit keeps it: sealed and secret fields masked, of addresses where they lead, long texts cut. */
export function masked(schema: z.ZodType, input: unknown): unknown {
  const secret = new Set<string>();
  const addresses = new Set<string>();
  walk(schema, input, (at, path) => {
    const mark = metadataOf(at);
    if (mark?.sealed || mark?.secret) secret.add(path.join('.'));
    if (mark?.address) addresses.add(path.join('.'));
  });
  const copy = (value: unknown, path: string): unknown => {
    if (secret.has(path)) return '•••';
    if (typeof value === 'string' && addresses.has(path)) return originOf(value);
    if (typeof value === 'string') return value.length > MAX_TEXT ? `${cut(value, MAX_TEXT)}…` : value;
    if (value instanceof Date) return value.toISOString();
    if (Array.isArray(value)) return value.slice(0, 200).map((one, at) => copy(one, path ? `${path}.${at}` : `${at}`));
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one, path ? `${path}.${key}` : key)]));
    }
    return value;
  };
  return copy(input, '');
}
