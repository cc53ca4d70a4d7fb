import type { AnyEntity, RowOf } from '@mooring/contract/kit/entity';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { bulkEach } from '../bulk-each.ts';
import type { Ctx } from '../context.ts';
import type { Handler } from '../module.ts';
import type { Resource } from './resource.ts';

const MOST = 1000;

interface Meant {
  readonly of: { ids: number[] } | { criteria: object; except: number[] };
  readonly preview: boolean;
}
/** Where what is done to many is told together. */
export interface ManyTold {
  /** Begins with each row, in its own door. */
  each(inner: Ctx): void;
  /** All are through. */
  done(): Promise<void>;
}
type Shown = { readonly id: number; readonly allowedActions: readonly string[] };

/** What a call of a resource does, by its name. */
function handlerOf<E extends AnyEntity>({ routes }: Resource<E>, name: string): Handler<never> {
  const found = routes.find(({ call }) => call.name === name)?.handler;
  if (!found) throw new Error(`nobody says how to ${name}`);
  return found as Handler<never>;
}

/** Those that are meant, as the list shows them. Fault: TOO_LARGE. */
async function chosen<E extends AnyEntity>(ctx: Ctx, resource: Resource<E>, of: Meant['of']): Promise<RowOf<E>[]> {
  return ctx.withScope(async (inner) => {
    if ('ids' in of) {
      if (of.ids.length > MOST) throw fault('TOO_LARGE');
      return (await resource.readAll(inner, [...new Set(of.ids)])) as RowOf<E>[];
    }
    const input = { criteria: of.criteria, page: { size: MOST + 1, number: 1, sort: 'createdAt', order: 'asc' } };
    const { content } = (await handlerOf(resource, 'page')(inner, input as never, undefined as never)) as { content: (RowOf<E> & Shown)[] };
    if (content.length > MOST) throw fault('TOO_LARGE');
    return content.filter(({ id }) => !of.except.includes(id));
  });
}

/**
 * One act on each of several rows, at most a thousand, as its own call does it and in a transaction of its own; those that it isn't for are named.
 * The call is `tx: 'own'`, its input `bulkOf(…)`, its list sorted by `createdAt`.
 */
export const actOnMany =
  <E extends AnyEntity>(resource: () => Resource<E>, labelOf: (row: RowOf<E>) => string) =>
  async (ctx: Ctx, act: string, { of, preview }: Meant, more: object = {}, told?: ManyTold): Promise<BulkOutcome> => {
    const found = await chosen(ctx, resource(), of);
    const handler = handlerOf(resource(), act);
    const rows = found.map((row) => {
      const { id, allowedActions } = row as RowOf<E> & Shown;
      return { id, label: labelOf(row), may: allowedActions.includes(act) };
    });
    const outcome = await bulkEach(ctx, rows, {
      preview,
      fits: ({ may }) => may,
      fault: 'OVERTAKEN',
      act: async (inner, { id }) => {
        told?.each(inner);
        return handler(inner, { id, ...more } as never, undefined as never);
      },
    });
    await told?.done();
    return outcome;
  };
