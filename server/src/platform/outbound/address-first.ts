import type { Call } from '@mooring/contract/kit/call';
import type { OutboundList } from '@mooring/contract/settings/kinds';
import type { z } from 'zod';
import { checkRevision } from '../http/check-revision.ts';
import type { Resource } from '../resource/resource.ts';
import { readSetting } from '../settings.ts';
import { checkOutside, hostOf } from './door.ts';

/**
 * The same rows, whose addresses are looked up before they are written, each for an error at its field. A name may take its time: no
 * transaction is held for it by calls that are `tx: 'own'`, and whether somebody else saved meanwhile is asked again where it is written.
 * Fault: ADDRESS_NOT_PUBLIC.
 */
export function addressFirst<R extends Resource>(
  of: R,
  list: keyof z.infer<typeof OutboundList>,
  calls: readonly unknown[],
  fields: readonly string[],
): R {
  const routes = of.routes.map((route) => {
    const { call, handler }: { call: Call; handler: typeof route.handler } = route;
    if (!calls.includes(call)) return route;
    const checking: typeof handler = async (ctx, input, wire) => {
      const typed = fields.flatMap((field) => {
        const url = (input as Readonly<Record<string, unknown>>)[field];
        return typeof url === 'string' && url !== '' ? [{ field, url }] : [];
      });
      const allowed = typed.length === 0 ? [] : (await ctx.unscoped((db) => readSetting(db, 'outbound')))[list];
      for (const { field, url } of typed) await checkOutside(hostOf(url), allowed, field);
      return ctx.withScope(async (inner) => {
        await checkRevision(inner.db, call, input, of.refs);
        // What the log keeps of it is said to the call itself.
        return handler({ ...inner, audit: ctx.audit }, input, wire);
      });
    };
    return { ...route, handler: checking };
  });
  return { ...of, routes };
}
