import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { menusOf, rightsOf } from '../access/api.ts';

const both: readonly Platform[] = ['centre', 'manager'];

/**
 * Where a person holds these scopes: on one platform, the wanted one first, or some here and some there.
 * @throws TOKEN_SCOPE where one of them is held nowhere.
 */
export async function platformsFor(db: Db, userId: number, scopes: readonly string[], wanted: Platform): Promise<readonly Platform[]> {
  const held = new Map<Platform, ReadonlySet<string>>();
  for (const platform of both) held.set(platform, rightsOf((await menusOf(db, userId, platform)).join(' '), platform));
  const isHeld = (scope: string, on: readonly Platform[]) => on.some((platform) => held.get(platform)?.has(scope));
  const [first, second] = wanted === 'centre' ? both : [...both].reverse();
  const choices = [[first], [second], [first, second]].map((choice) => choice.filter((one) => one !== undefined));
  const found = choices.find((choice) => scopes.every((scope) => isHeld(scope, choice)));
  if (found) return found;
  const foreign = scopes.filter((scope) => !isHeld(scope, both));
  throw new Fault('TOKEN_SCOPE', { fields: { scopes: 'fault.TOKEN_SCOPE' }, params: { scopes: foreign.join(', ') } });
}
