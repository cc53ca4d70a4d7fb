import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../platform/context.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { brokers, estate, missingPrograms, type TestStack, testStack, until } from './device.factory.ts';

test.runIf(missingPrograms('mosquitto').length === 0)(
  'terminals are tried against Mosquitto too (skipped where that is not installed)',
  () => {
    expect(brokers).toContain('mosquitto');
  },
);

describe.each(brokers)('%s broker', (kind) => {
  let plane: TestStack;
  let code: string;
  const fleets: Fleet[] = [];
  const fleet = (options: Partial<Parameters<typeof startFleet>[0]> & { seed: string }) => {
    const started = startFleet({
      server: plane.server,
      count: 1,
      code,
      maxBackoffSeconds: 1,
      bootSeconds: 0.05,
      installSeconds: 0.05,
      ...options,
    });
    fleets.push(started);
    return started;
  };
  /** Of a device that is in contact, as soon as it is. */
  const online = (sn: string) =>
    until(() =>
      plane.app.unscoped((db) => db.selectFrom('device').select('id').where('sn', '=', sn).where('status', '=', '3').executeTakeFirst()),
    );
  const statuses = async (prefix: string) => {
    const rows = await plane.app.unscoped((db) =>
      sql<{
        status: string;
        n: number;
      }>`select status, count(*)::int as n from device where sn like ${`${prefix}%`} group by status`.execute(db),
    );
    return Object.fromEntries(rows.rows.map((row) => [row.status, row.n]));
  };

  beforeAll(async () => {
    plane = await testStack({}, kind);
    ({ code } = await plane.app.unscoped((db) => estate(db)));
  });
  afterAll(async () => {
    await Promise.all(fleets.map((one) => one.stop()));
    await plane.stop();
  });

  test('terminals enrol by a code, connect over TLS and by token, and are online with their figures', async () => {
    const secure = fleet({ seed: 'TLS', count: 3, over: 'tls' });
    const plain = fleet({ seed: 'TOK', count: 3, over: kind === 'embedded' ? 'token' : 'tls' });
    await secure.whenOnline(3);
    await plain.whenOnline(3);
    await until(async () => (await statuses('VT'))['3'] === 6);
    const row = await plane.app.unscoped((db) =>
      sql<{ firmware: string; battery: number; dept_path: string; time_zone: string }>`
    select d.firmware, p.battery, d.dept_path, d.time_zone from device d join device_presence p on p.device_id = d.id where d.sn = 'VTLS-000001'`.execute(
        db,
      ),
    );
    expect(row.rows[0]).toMatchObject({ firmware: '1.0.0', dept_path: '1.2.7.' });
    expect(row.rows[0]?.battery).toBeGreaterThan(0);
    expect(row.rows[0]?.time_zone).toMatch(/\//);
  });

  test('a command reaches its terminal once and is done; a log comes back whole', async () => {
    const [terminal] = fleet({ seed: 'CMD', count: 1 }).terminals;
    const device = await online('VCMD-000001');
    const expiresAt = new Date(Date.now() + 3_600_000);
    await plane.app.unscoped((db) =>
      sendMessages(db, [
        {
          deviceId: device.id,
          kind: 'command',
          key: 'cmd-1',
          data: { command: 'message', params: { title: 'Hello', text: 'from the desk', seconds: 5 } },
          expiresAt,
        },
        { deviceId: device.id, kind: 'command', key: 'cmd-2', data: { command: 'logPull', params: { lines: 100 } }, expiresAt },
        { deviceId: device.id, kind: 'command', key: 'cmd-3', data: { command: 'dance', params: {} }, expiresAt },
      ]),
    );
    await until(
      async () =>
        (
          await plane.app.unscoped((db) =>
            db.selectFrom('gateway_outbox').select('id').where('key', 'like', 'cmd-%').where('state', 'in', ['done', 'failed']).execute(),
          )
        ).length === 3,
    );
    expect(terminal?.body.messages).toEqual([{ title: 'Hello', text: 'from the desk' }]);
    const rows = await plane.app.unscoped((db) =>
      db.selectFrom('gateway_outbox').select(['key', 'state', 'reason', 'attempts']).where('key', 'like', 'cmd-%').orderBy('key').execute(),
    );
    expect(rows.map((row) => [row.state, row.reason])).toEqual([
      ['done', null],
      ['done', null],
      ['failed', 'notSupported'],
    ]);
    const log = await until(
      async () =>
        (
          await plane.app.unscoped((db) =>
            sql<{
              text: string;
            }>`select string_agg(text, ' ' order by at, id) as text from device_log_line where device_id = ${device.id} having count(*) > 2`.execute(
              db,
            ),
          )
        ).rows[0],
    );
    expect(log.text).toContain('command logPull');
  });

  test('what can go at once goes with the commit of what says it, and never without', async () => {
    const one = fleet({ seed: 'NOW', count: 1 });
    await one.whenOnline(1);
    const device = await online('VNOW-000001');
    const rowOf = (db: Db, key: string) =>
      db.selectFrom('gateway_outbox').select(['state', 'attempts']).where('key', '=', key).executeTakeFirst();
    const publish = (db: Db, key: string) =>
      plane.app.sendMessages(db, [
        {
          deviceId: device.id,
          kind: 'command',
          key,
          data: { command: 'message', params: { title: key, text: '' } },
          expiresAt: new Date(Date.now() + 3_600_000),
        },
      ]);
    const given: unknown[] = [];
    const close = plane.app.dispatcher.open((due) => void given.push(...due.map((due) => due.key)));
    await expect(
      plane.app.unscoped(async (db) => {
        await publish(db, 'now-0');
        expect(await rowOf(db, 'now-0')).toEqual({ state: 'sent', attempts: 1 });
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect(given).toEqual([]);
    await plane.app.unscoped((db) => publish(db, 'now-1'));
    expect(given).toEqual(['now-1']);
    close();
    await plane.app.unscoped((db) => publish(db, 'now-2'));
    await until(async () => (await plane.app.unscoped((db) => rowOf(db, 'now-2')))?.state === 'done');
    expect(one.terminals[0]?.body.messages.map((message) => message.title)).toEqual(['now-2']);
    // Nobody carried the other: it is noted as sent, and repeated as what got lost on its way.
    expect(await plane.app.unscoped((db) => rowOf(db, 'now-1'))).toEqual({ state: 'sent', attempts: 1 });
    await plane.app.unscoped((db) => sql`update gateway_outbox set next_at = now() where key = 'now-1'`.execute(db));
    await until(async () => (await plane.app.unscoped((db) => rowOf(db, 'now-1')))?.state === 'done');
    await one.stop();
    await plane.app.unscoped((db) => sql`update device_presence set online = false where device_id = ${device.id}`.execute(db));
    await plane.app.unscoped((db) => publish(db, 'now-3'));
    expect(await plane.app.unscoped((db) => rowOf(db, 'now-3'))).toEqual({ state: 'waiting', attempts: 0 });
  });

  test('a command for an absent terminal waits, survives a restart of the server, and is done once', async () => {
    const away = fleet({ seed: 'AWAY', count: 1 });
    await away.whenOnline(1);
    const device = await online('VAWAY-000001');
    await away.stop();
    await plane.app.unscoped((db) =>
      sql`update device_presence set lease_until = now() - interval '1 second' where device_id = ${device.id}`.execute(db),
    );
    await plane.app.unscoped((db) =>
      sendMessages(db, [
        {
          deviceId: device.id,
          kind: 'command',
          key: 'away-1',
          data: { command: 'message', params: { title: 'Later', text: 'you were away' } },
          expiresAt: new Date(Date.now() + 3_600_000),
        },
      ]),
    );
    await plane.restart();
    const back = fleet({ seed: 'AWAY', count: 1 });
    await until(
      async () =>
        await plane.app.unscoped((db) =>
          db.selectFrom('gateway_outbox').select('id').where('key', '=', 'away-1').where('state', '=', 'done').executeTakeFirst(),
        ),
    );
    expect(back.terminals[0]?.body.messages).toHaveLength(1);
  });

  test('a reboot is answered, done, and the terminal is back', async () => {
    const one = fleet({ seed: 'BOOT', count: 1 });
    await one.whenOnline(1);
    const device = await online('VBOOT-000001');
    await plane.app.unscoped((db) =>
      sendMessages(db, [
        {
          deviceId: device.id,
          kind: 'command',
          key: 'boot-1',
          data: { command: 'reboot', params: {} },
          expiresAt: new Date(Date.now() + 3_600_000),
        },
      ]),
    );
    await until(() => one.online() === 0);
    await one.whenOnline(1);
    await until(() =>
      plane.app.unscoped((db) =>
        db.selectFrom('gateway_outbox').select('id').where('key', '=', 'boot-1').where('state', '=', 'done').executeTakeFirst(),
      ),
    );
  });

  test('events are stored once however often they come', async () => {
    const one = fleet({ seed: 'EVT', count: 1 });
    await one.whenOnline(1);
    one.terminals[0]?.agent()?.event('tamper', 'alarm', { sensor: 'case' });
    await until(
      async () =>
        (
          await plane.app.unscoped((db) =>
            db
              .selectFrom('device_event')
              .innerJoin('device', 'device.id', 'device_event.device_id')
              .select('device_event.id')
              .where('device.sn', '=', 'VEVT-000001')
              .execute(),
          )
        ).length === 1,
    );
    await until(() => one.terminals[0]?.journal.unsent.size === 0);
  });

  test('another SIM is an event like those of terminals: kept, and heard by rules of alarms', async () => {
    const one = fleet({ seed: 'SIM', count: 1 });
    await one.whenOnline(1);
    const [terminal] = one.terminals;
    const before = terminal?.body.facts().iccid;
    if (terminal) terminal.body.swapSim('89860099999999999999');
    terminal?.agent()?.cut();
    const events = () =>
      plane.app.unscoped((db) =>
        db
          .selectFrom('device_event')
          .innerJoin('device', 'device.id', 'device_event.device_id')
          .select(['device_event.name', 'device_event.params'])
          .where('device.sn', '=', 'VSIM-000001')
          .execute(),
      );
    await until(async () => (await events()).length === 1);
    expect(await events()).toEqual([{ name: 'simChanged', params: { from: before, to: '89860099999999999999' } }]);
  });

  test('revoking cuts the connection at once, and it does not come back', async () => {
    const one = fleet({ seed: 'REV', count: 1, over: 'tls' });
    await one.whenOnline(1);
    const list = () => (plane.broker ? readFileSync(join(plane.broker.folder, 'crl.pem'), 'utf8') : '');
    const before = list();
    await plane.app.unscoped((db) =>
      sql`update device_credential set revoked_at = now() where device_id = (select id from device where sn = 'VREV-000001')`.execute(db),
    );
    await plane.app.unscoped((db) => sql`insert into gateway_cut (sn) values ('VREV-000001')`.execute(db));
    await until(() => one.online() === 0);
    if (kind === 'mosquitto') await until(() => list() !== before);
    if (kind === 'embedded') {
      const refusals = () =>
        plane.app.unscoped((db) => sql`select 1 from gateway_refused where sn = 'VREV-000001' and reason = 'revoked'`.execute(db));
      await until(async () => (await refusals()).rows.length > 0);
    }
    // It tries again within two seconds; each try is refused.
    const staysAway = () =>
      one.whenOnline(1, 5).then(
        () => false,
        () => true,
      );
    // Mosquitto takes its new list after the cut: until then it may be back for moments, and is cut again.
    if (kind === 'mosquitto') await until(staysAway);
    else expect(await staysAway()).toBe(true);
  });
});
