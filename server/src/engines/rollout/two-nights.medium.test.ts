import { downMessages } from '@mooring/contract/device/messages';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { dayOf, minuteOf } from '@mooring/contract/shared/date-range';
import type { OfferTools } from '@mooring/terminal/offer-tools';
import { runOffer } from '@mooring/terminal/run-offer';
import { withTerminalFor } from '@mooring/terminal/signed-offer.factory';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { anyTerminals, type Simulated } from './any-terminals.factory.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let admin: Client;
let code = '';
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
const zones = ['Pacific/Honolulu', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'];
const [HOUR, STEP] = [3_600_000, 15 * 60_000];

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

/** A virtual terminal that goes by the clock of the test: what it waits for comes when that is moved. */
interface Terminal extends Simulated {
  state: 'idle' | 'waiting' | 'busy';
  wake: () => void;
  installedAt: Date | undefined;
  holds: unknown;
  readonly words: [kind: 'progress' | 'result', data: object][];
}
const toolsOf = (terminal: Terminal, tools: OfferTools): OfferTools => ({
  ...tools,
  now: () => app.clock.now,
  body: {
    ...tools.body,
    timeZone: () => terminal.zone,
    set(settings) {
      terminal.installedAt = app.clock.now;
      return tools.body.set(settings);
    },
  },
  wait: () =>
    new Promise((resolve) => {
      terminal.state = 'waiting';
      terminal.wake = resolve;
    }),
});

async function carryOut(terminal: Terminal, raw: object): Promise<void> {
  const offer = downMessages.offer.parse(raw);
  terminal.state = 'busy';
  terminal.words.push(['progress', { offer: offer.offer, phase: 'received', percent: 0 }]);
  await withTerminalFor(terminal.sn, async (tools) => {
    tools.journal.offers.set(offer.offer, { stage: 'received', offer });
    const progress: OfferTools['progress'] = (data) => terminal.words.push(['progress', { offer: offer.offer, percent: 0, ...data }]);
    const result = await runOffer(offer, { ...toolsOf(terminal, tools), progress });
    if (result !== 'powerLost') terminal.words.push(['result', result]);
    terminal.holds = tools.journal.settings.get('networkConfig.hotspot');
  });
  terminal.state = 'idle';
}

test('a window of 02:00 to 04:00 in four time zones, over two nights: each terminal changes in its own night alone, and none is given up', async () => {
  const terminals = anyTerminals(app, () => code);
  const productId = await makeProduct(app, app.root);
  const [product] = await terminals.run(sql<{ code: string }>`select code from product_product where id = ${productId}`);
  code = product?.code ?? '';
  const names = sns(8);
  const ids = await makeDevices(app, await app.dept('Bank'), productId, names);
  const fleet = names.map(
    (sn, at): Terminal => ({
      id: ids[at] ?? 0,
      sn,
      zone: zones[at % 4] ?? '',
      offers: new Map(),
      state: 'idle',
      wake() {},
      installedAt: undefined,
      holds: undefined,
      words: [],
    }),
  );
  // Half of them are there from the first night on.
  const [first, second] = [fleet.slice(0, 4), fleet.slice(4)];
  await terminals.run(sql`update device_presence set online = false where device_id = any(${second.map((one) => one.id)}::bigint[])`);
  const come = async (some: readonly Terminal[]) => {
    for (const one of some) await terminals.hello(one);
    await terminals.run(sql`update device set capabilities = '{networkConfig}' where id = any(${some.map((one) => one.id)}::bigint[])`);
  };
  await come(first);
  await terminals.run(
    sql`update device set capabilities = '{networkConfig}', status = '2' where id = any(${second.map((one) => one.id)}::bigint[])`,
  );
  // Noon in London: no window is open anywhere.
  app.clock.now = new Date(`${new Date(app.clock.now.getTime() + 24 * HOUR).toISOString().slice(0, 10)}T15:00:00Z`);
  const delivery = { window: { days: [1, 2, 3, 4, 5, 6, 7], from: '02:00', to: '04:00' }, timeoutMinutes: 60, retries: 0 };
  const scope = { releaseScope: '2' as const, sns: names };
  const content = { setting: 'hotspot' as const, hotspot: true };
  const { id } = await admin.call(networkConfigCalls.add, { name: 'Hotspots', content, scope, delivery, release: true });
  const begun = new Set<string>();
  const running: Promise<void>[] = [];

  const quiet = async () => {
    while (fleet.some((one) => one.state === 'busy')) await new Promise((resolve) => setImmediate(resolve));
    for (const one of fleet) for (const [kind, data] of one.words.splice(0)) await terminals.say(one, kind, data);
    await settle();
  };
  const night = async () => {
    for (let passed = 0; passed < 24 * HOUR; passed += STEP) {
      await quiet();
      const waiting = await terminals.run(
        sql<{ device_id: number; data: { offer: string } }>`
          select o.device_id, o.data from gateway_outbox o join device_presence p on p.device_id = o.device_id
          where o.topic = 'offer' and o.state in ('waiting', 'sent') and p.online order by o.id`,
      );
      for (const { device_id, data } of waiting) {
        const one = fleet.find((terminal) => terminal.id === device_id);
        if (!one || begun.has(data.offer)) continue;
        begun.add(data.offer);
        running.push(carryOut(one, data));
      }
      await quiet();
      app.clock.now = new Date(app.clock.now.getTime() + STEP);
      for (const one of fleet.filter((terminal) => terminal.state === 'waiting')) {
        one.state = 'busy';
        one.wake();
      }
    }
    await quiet();
  };
  const tally = async () => (await admin.call(networkConfigCalls.detail, { id })).tally;
  const began = app.clock.now;
  await night();
  expect(await tally()).toEqual({ '1': 4, '3': 4 });
  expect(second.map((one) => one.installedAt)).toEqual([undefined, undefined, undefined, undefined]);
  const between = app.clock.now;
  await come(second);
  await night();
  await Promise.all(running);
  expect(await admin.call(networkConfigCalls.detail, { id })).toMatchObject({ state: 'finished', tally: { '3': 8 } });
  for (const one of fleet) {
    const at = one.installedAt ?? began;
    expect(minuteOf(at, one.zone), `${one.sn} ${one.zone} ${dayOf(at, one.zone)}`).toBeGreaterThanOrEqual(120);
    expect(minuteOf(at, one.zone)).toBeLessThan(240);
    expect(at > between).toBe(second.includes(one));
    expect(one.holds).toEqual({ on: true });
  }
  // One attempt each: waiting is no failure.
  expect(begun.size).toBe(8);
}, 300_000);
