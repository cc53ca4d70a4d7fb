import { thingCommandParams } from '@mooring/contract/device/commands';
import { wrongInput, wrongToSet } from '@mooring/contract/device/thing/check-values';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { outboxRows } from '../../../platform/gateway/handle-replies.ts';
import type { Due } from '../../../platform/gateway/outbox.ts';
import { invalidatePaths } from '../../../platform/live/invalidate-paths.ts';
import { DEVICES } from '../device-rows.ts';
import { isThingCommand, publishedModels } from './thing-rows.ts';

/** Whether what was asked still is what the model allows. */
function fits(model: ThingModel | undefined, data: Due['data']): boolean {
  if (data.command === 'propertyGet') return true;
  if (!model) return false;
  if (data.command === 'propertySet') {
    const asked = thingCommandParams.propertySet.safeParse(data.params);
    return asked.success && wrongToSet(model, asked.data.values).length === 0;
  }
  const asked = thingCommandParams.serviceCall.safeParse(data.params);
  const service = asked.success ? model.services.find((one) => one.id === asked.data.service) : undefined;
  return asked.success && service !== undefined && wrongInput(service, asked.data.input).length === 0;
}

/**
 * Before anything is sent, or sent again: a thing model may have been published since it was asked for, or the terminal have got another product. What no
 * longer fits has failed. A terminal that has done it already says so in its reply, which is noted beside the reason.
 */
export async function withoutMisfits(db: Db, app: Pick<AppContext, 'invalidate'>, due: readonly Due[]): Promise<readonly Due[]> {
  const things = due.filter((one) => one.topic === 'command' && isThingCommand(one.data.command));
  if (things.length === 0) return due;
  const { rows } = await sql<{ id: number; product_id: number; dept_path: string; attempts: number }>`
    select o.id, d.product_id, o.dept_path, o.attempts from gateway_outbox o join device d on d.id = o.device_id where o.id = any(${things.map((one) => one.id)}::bigint[])`.execute(
    db,
  );
  const models = await publishedModels(
    db,
    rows.map((row) => row.product_id),
  );
  const of = new Map(rows.map((row) => [row.id, row]));
  const wrong = new Set(things.filter((one) => !fits(models.get(of.get(one.id)?.product_id ?? 0), one.data)).map((one) => one.id));
  // Open pages say that it is on its way.
  const first = rows.filter(({ attempts }) => attempts === 1).map((row) => row.dept_path);
  await invalidatePaths(db, app, THINGS, first);
  if (wrong.size === 0) return due;
  await move(db, outboxRows, 'fail', [...wrong], { set: { reason: 'modelChanged' } });
  await sql`update gateway_outbox set sent_at = null, attempts = 0 where id = any(${[...wrong]}::bigint[]) and attempts = 1`.execute(db);
  const paths = [...wrong].flatMap((id) => of.get(id)?.dept_path ?? []);
  for (const group of [DEVICES, THINGS]) await invalidatePaths(db, app, group, paths);
  return due.filter((one) => !wrong.has(one.id));
}
