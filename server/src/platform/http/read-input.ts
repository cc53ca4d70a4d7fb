import type { Call } from '@mooring/contract/kit/call';
import { commonFaults, Fault, fault } from '@mooring/contract/kit/fault';
import { hasMetadata, metadataOf, Seal, walk } from '@mooring/contract/kit/schema';
import type { z } from 'zod';
import { noTextAt, tooDeep } from '../plain-value.ts';

const badInput = (fields: Record<string, string>) => new Fault('BAD_INPUT', { code: commonFaults.BAD_INPUT, fields });

function setAt(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], target);
  const last = path.at(-1);
  if (parent && last !== undefined) (parent as Record<string | number, unknown>)[last] = value;
}

export interface Sealing {
  open(purpose: string, seal: Seal): Promise<string>;
}

/**
 * A call's input, checked: path parameters merged in, depth bounded, sealed fields opened, then the schema. Unknown fields are
 * refused, not ignored (design 1, section 2).
 */
export async function readInput(call: Call, raw: unknown, params: Readonly<Record<string, string>>, sealing: Sealing): Promise<unknown> {
  if (raw !== undefined && raw !== null && (typeof raw !== 'object' || Array.isArray(raw))) throw badInput({ '': 'invalid.type' });
  if (tooDeep(raw)) throw badInput({ '': 'invalid.depth' });
  const input: Record<string, unknown> = { ...(raw as object | null | undefined), ...fromPath(call, params) };
  // Nothing has such a name.
  if (noTextAt(params) !== undefined) throw fault('NOT_FOUND');
  const broken = noTextAt(input);
  if (broken !== undefined) throw badInput({ [broken]: 'invalid.text' });
  if (hasMetadata(call.input, 'sealed')) await openSeals(call, input, sealing);
  const parsed = call.input.safeParse(input);
  if (!parsed.success) throw badInput(fieldsOf(parsed.error));
  return parsed.data;
}

async function openSeals(call: Call, input: Record<string, unknown>, sealing: Sealing): Promise<void> {
  const seals: { purpose: string; path: readonly (string | number)[]; value: unknown }[] = [];
  walk(call.input, input, (schema, path, value) => {
    const purpose = metadataOf(schema)?.sealed;
    if (purpose && value !== undefined && !seals.some((one) => one.path.join() === path.join())) seals.push({ purpose, path, value });
  });
  for (const { purpose, path, value } of seals) {
    const seal = Seal.safeParse(value);
    if (!seal.success) throw badInput({ [path.join('.')]: 'invalid.seal' });
    setAt(input, path, await sealing.open(purpose, seal.data));
  }
}

/** Path parameters are text; a field that wants a number gets one. */
function fromPath(call: Call, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const shape = (call.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {};
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      shape[name]?.safeParse(text).success ? text : /^\d{1,15}$/.test(text) ? Number(text) : text,
    ]),
  );
}

/** Path → text key of what is wrong there: `invalid.<zod code>`, or the key that a refinement names itself. */
export function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues.slice(0, 50)) {
    const path = issue.path.join('.');
    fields[path] ??= /^[a-z]\w*(\.\w+)+$/i.test(issue.message) ? issue.message : `invalid.${issue.code}`;
  }
  return fields;
}
