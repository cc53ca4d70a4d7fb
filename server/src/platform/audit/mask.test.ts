import { allCalls } from '@mooring/contract/index';
import { metadataOf, walk } from '@mooring/contract/kit/schema';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { masked } from './mask.ts';

/** Names that secrets have. */
const telling =
  /^(code|proof|password|secret|token|ticket|credential|invite|state|nonce|otp|pin|passphrase|component|answer)$|(Ticket|Token|Secret|Password|Nonce)$/;
/** Fields of such a name that are none. */
const open = new Set([
  // What a table, a picklist and a product are called.
  '/form/config/findOne/{code} code',
  '/form/individuation/config/save code',
  '/sysSetting/dict/add code',
  '/product/add code',
  '/firm/add code',
  '/firm/update code',
]);
const typeOf = (schema: z.ZodType) => (schema as unknown as { def: { type: string } }).def.type;

/** Every text of every call's input that is named like a secret, with whether it is masked. */
const found = allCalls.flatMap((call) => {
  const fields = new Map<string, boolean>();
  walk(call.input, undefined, (schema, path) => {
    const name = String(path.at(-1) ?? '');
    if (!telling.test(name) || typeOf(schema) !== 'string') return;
    const key = path.join('.');
    const mark = metadataOf(schema);
    fields.set(key, (fields.get(key) ?? false) || mark?.sealed !== undefined || mark?.secret === true);
  });
  return [...fields].map(([path, isMasked]) => ({ where: `${call.path} ${path}`, isMasked }));
});

test('every code, ticket and secret that a call takes is masked in the log', () => {
  expect(found.filter(({ where, isMasked }) => !isMasked && !open.has(where)).map(({ where }) => where)).toEqual([]);
  expect(found.length).toBeGreaterThan(30);
});

/** Makes the objects and lists that a path leads through. */
function put(target: unknown, [key, ...rest]: readonly (string | number)[], value: string): void {
  const holder = target as Record<string | number, unknown>;
  if (key === undefined) return;
  if (rest.length === 0) {
    holder[key] = value;
    return;
  }
  holder[key] ??= typeof rest[0] === 'number' ? [] : {};
  put(holder[key], rest, value);
}

test('what is masked doesn’t reach the log, and the rest does', () => {
  for (const call of allCalls) {
    const given: Record<string, unknown> = { remark: 'kept' };
    const secrets: string[] = [];
    walk(call.input, undefined, (schema, path) => {
      const mark = metadataOf(schema);
      if (!mark?.sealed && !mark?.secret) return;
      secrets.push(path.join('.'));
      put(given, path, 'S3CRET');
    });
    const kept = JSON.stringify(masked(call.input, given));
    expect(kept, `${call.path} ${secrets}`).not.toContain('S3CRET');
    expect(kept).toContain('kept');
  }
});
