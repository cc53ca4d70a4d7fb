import { wrongInput, wrongToSet } from '@mooring/contract/device/thing/check-values';
import { type deviceThingCalls, THINGS } from '@mooring/contract/device/thing/thing-calls';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { outboxRows } from '../../../platform/gateway/handle-replies.ts';
import type { Handler } from '../../../platform/module.ts';
import { refuseMisfits, type Thing, thingToAsk } from './thing-rows.ts';

type Calls = typeof deviceThingCalls;
type Command =
  | { readonly command: 'propertySet'; readonly params: { values: Record<string, never> } }
  | { readonly command: 'propertyGet'; readonly params: { names: string[] } }
  | { readonly command: 'serviceCall'; readonly params: { service: string; input: Record<string, never> } };

/** Writes the command down, to be sent when this is committed. */
async function send(ctx: Ctx, thing: Thing, data: Command, hours: number): Promise<{ commandId: number }> {
  const { rows } = await sql<{ key: string }>`select 'tm-' || gen_random_uuid() as key`.execute(ctx.db);
  const key = rows[0]?.key ?? '';
  await ctx.sendMessages(ctx.db, [
    {
      deviceId: thing.id,
      kind: 'command',
      key,
      data,
      expiresAt: new Date(ctx.now().getTime() + hours * 3_600_000),
      actor: { userId: ctx.actor.userId, userName: ctx.actor.userName },
    },
  ]);
  const { id } = await ctx.db.selectFrom('gateway_outbox').select('id').where('key', '=', key).executeTakeFirstOrThrow();
  ctx.audit({ target: `${data.command} ${thing.sn}`, after: data.params });
  await ctx.invalidate(ctx.db, THINGS, thing.dept_path);
  await ctx.invalidate(ctx.db, '/device', thing.dept_path);
  return { commandId: id };
}

/** What waits for these terminals and sets nothing but what is set anew: the terminal would only do it to have it done over. */
export const replaceOlder = (ctx: Pick<Ctx, 'db' | 'actor'>, db: Ctx['db'], deviceIds: readonly number[], ids: readonly string[]) =>
  move(
    db,
    outboxRows,
    'withdraw',
    sql`id in (select o.id from gateway_outbox o where o.device_id = any(${deviceIds}::bigint[]) and o.topic = 'command' and o.kind = 'propertySet' and o.state in ('waiting', 'sent')
      and not exists (select from jsonb_object_keys(o.data -> 'params' -> 'values') k where k <> all(${ids}::text[])))`,
    { actorId: ctx.actor.userId, set: { reason: 'replaced' } },
  );

export const setThing: Handler<Calls['set']> = async (ctx, { id, values, hours }) => {
  const thing = await thingToAsk(ctx.db, id);
  refuseMisfits('values', wrongToSet(thing.model, values));
  await replaceOlder(ctx, ctx.db, [id], Object.keys(values));
  return send(ctx, thing, { command: 'propertySet', params: { values: values as Record<string, never> } }, hours);
};

export const requestThing: Handler<Calls['request']> = async (ctx, { id, names, hours }) => {
  const thing = await thingToAsk(ctx.db, id);
  const unknown = names.filter((name) => !thing.model.properties.some((one) => one.id === name));
  refuseMisfits(
    'names',
    unknown.map((at) => ({ problem: 'unknown', at })),
  );
  const asked = [...new Set(names)];
  // The same is asked once: what waits already is replaced.
  await move(
    ctx.db,
    outboxRows,
    'withdraw',
    sql`id in (select o.id from gateway_outbox o where o.device_id = ${id} and o.topic = 'command' and o.kind = 'propertyGet' and o.state in ('waiting', 'sent')
      and o.data -> 'params' -> 'names' @> ${JSON.stringify(asked)}::jsonb and o.data -> 'params' -> 'names' <@ ${JSON.stringify(asked)}::jsonb)`,
    { actorId: ctx.actor.userId, set: { reason: 'replaced' } },
  );
  return send(ctx, thing, { command: 'propertyGet', params: { names: asked } }, hours);
};

export const callThing: Handler<Calls['call']> = async (ctx, { id, service, input, hours }) => {
  const thing = await thingToAsk(ctx.db, id);
  const found = thing.model.services.find((one) => one.id === service);
  if (!found) throw new Fault('THING_SERVICE', { fields: { service: 'fault.THING_SERVICE' } });
  refuseMisfits('input', wrongInput(found, input));
  return send(ctx, thing, { command: 'serviceCall', params: { service, input: input as Record<string, never> } }, hours);
};
