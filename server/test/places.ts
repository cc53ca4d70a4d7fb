import type { DeptAt } from '../src/modules/org/api.ts';
import type { TestApp } from './test-app.ts';

type Made = { executeTakeFirstOrThrow(): Promise<{ id: number }> };
const idOf = async (query: Made) => (await query.executeTakeFirstOrThrow()).id;

/** A record of work on a terminal of the owner. */
export const makeMaintenance = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, device_id: number, sn: string): Promise<number> =>
  test.context.unscoped((db) =>
    idOf(
      db.insertInto('merchant_maintenance').values({ device_id, sn, kind: 'repair', at: new Date(), dept_id, dept_path }).returning('id'),
    ),
  );

/** A merchant of the owner with a shop, both by this name. */
export const makePlaces = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  name: string,
): Promise<{ merchant: number; shop: number }> =>
  test.context.unscoped(async (db) => {
    const of = { number: name, name, dept_id, dept_path };
    const merchant = await idOf(
      db
        .insertInto('merchant_merchant')
        .values({ ...of, kind: 'retail' })
        .returning('id'),
    );
    const shop = await idOf(
      db
        .insertInto('merchant_shop')
        .values({ ...of, merchant_id: merchant })
        .returning('id'),
    );
    return { merchant, shop };
  });

/** A rule of the owner, its receivers, and an open alarm of a terminal, all by this name. */
export const makeAlarm = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  device_id: number,
  name: string,
): Promise<{ alertRule: number; alarmReceiver: number; alarm: number; geofence: number; geofenceAlarm: number }> =>
  test.context.unscoped(async (db) => {
    const of = { name, dept_id, dept_path };
    const alarmReceiver = await idOf(
      db
        .insertInto('alert_receiver')
        .values({ ...of, emails: ['x@example.com'] })
        .returning('id'),
    );
    const alertRule = await idOf(
      db
        .insertInto('alert_rule')
        .values({ ...of, kind: 'battery' })
        .returning('id'),
    );
    const at = new Date();
    const about = { subject: `d${device_id}`, device_id, label: name, kind: 'battery', priority: '2', rule_id: alertRule, rule_name: name };
    const alarm = await idOf(
      db
        .insertInto('alert_alarm')
        .values({ ...about, clear_minutes: 0, opened_at: at, last_at: at, dept_id, dept_path })
        .returning('id'),
    );
    const fence = await db
      .insertInto('geofence')
      .values({ ...of, shape: 'circle', lat: 0, lon: 0, radius: 100, rule_id: 0 })
      .returning(['id', 'rule_id'])
      .executeTakeFirstOrThrow();
    const geofenceAlarm = await idOf(
      db
        .insertInto('alert_alarm')
        .values({ ...about, kind: 'geofence', rule_id: fence.rule_id, clear_minutes: 0, opened_at: at, last_at: at, dept_id, dept_path })
        .returning('id'),
    );
    return { alertRule, alarmReceiver, alarm, geofence: fence.id, geofenceAlarm };
  });
