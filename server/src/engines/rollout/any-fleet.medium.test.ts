import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Window } from '@mooring/contract/device/messages';
import { endedTasks } from '@mooring/contract/engines/rollout/state-machines';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { addDays, dayOf } from '@mooring/contract/shared/date-range';
import { isInWindow } from '@mooring/contract/shared/time-window';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { loseDevices } from '../../modules/device/api.ts';
import { makeMerchant } from '../../modules/merchant/merchant.factory.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { dayFrom, deliveryOf, type Planned, planned, type Step } from './any-fleet.factory.ts';
import { anyTerminals, type Simulated } from './any-terminals.factory.ts';
import { releasing, rolloutsOf } from './release.factory.ts';
import { isAtWork } from './send.ts';
import type { Rollouts } from './task.ts';
import { round } from './tick.ts';

/** FUZZ_RUNS and FUZZ_SEED: how many fleets, and which ones; `npm test` takes the same ones every time. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 15);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const MINUTE = 60_000;

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let rollouts: Rollouts;
let code = '';
let terminals: ReturnType<typeof anyTerminals>;
const { sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root);
  rollouts = rolloutsOf(app);
  terminals = anyTerminals(app, () => code);
});
afterAll(() => app.stop());

const rows = <T>(query: ReturnType<typeof sql<T>>) => terminals.run(query);
const settle = async () => {
  for (let turns = 0; turns < 60; turns += 1) if (!(await round(app.context, rollouts))) return;
  throw new Error('the engine never rests');
};
const pass = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * MINUTE);
};
/** People are refused what doesn't go; nothing breaks over it. */
const may = async (asked: ReturnType<Client['send']>) => {
  const { code: answered, body } = await asked;
  if (answered >= 500) throw new Error(`${answered} ${JSON.stringify(body)}`);
};

interface World {
  readonly fleet: Simulated[];
  readonly spare: Simulated;
  readonly packages: readonly number[];
  readonly tasks: {
    readonly id: number;
    readonly window: Window | null;
    readonly pacePerMinute: number | null;
    readonly paceAtOnce: number | null;
    readonly merchantIds: readonly number[];
  }[];
  readonly merchants: readonly number[];
  /** Merchants that each terminal has been of. */
  readonly been: Map<number, Set<number>>;
  readonly plan: Planned;
}

async function release(world: World): Promise<void> {
  const { plan, tasks, fleet, packages, merchants } = world;
  const next = plan.releases[tasks.length];
  if (!next) return;
  const delivery = deliveryOf(next, app.clock.now);
  const merchantIds = next.whom.map((at) => merchants[at] ?? 0);
  const scope =
    merchantIds.length > 0 ? { releaseScope: '1' as const, merchantIds } : { releaseScope: '2' as const, sns: fleet.map((one) => one.sn) };
  const packageId = packages[tasks.length] ?? 0;
  // Refused where there is nobody left to send it to.
  const { body } = await admin.send(taskCalls.add, { name: 'Release', packageId, scope, delivery, release: true });
  const { window, pacePerMinute, paceAtOnce } = delivery;
  const { id } = (body ?? {}) as { id?: number };
  if (id !== undefined) tasks.push({ id, window, pacePerMinute, paceAtOnce, merchantIds });
}

async function build(plan: Planned): Promise<World> {
  await rows(sql`delete from release_blackout`);
  const productId = await makeProduct(app, app.root);
  const [product] = await rows(sql<{ code: string }>`select code from product_product where id = ${productId}`);
  code = product?.code ?? '';
  const packages: number[] = [];
  for (const at of plan.releases.keys()) packages.push(await makePackage(app, admin, app.root, productId, `${at + 2}.0`));
  const names = sns(plan.zones.length + 1);
  const ids = await makeDevices(app, branch, productId, names.slice(0, -1));
  const [spareId = 0] = await makeDevices(app, branch, productId, names.slice(-1));
  await rows(sql`update device_presence set online = false where device_id = ${spareId}`);
  await rows(sql`update device set status = '5' where id = ${spareId}`);
  const simulated = (id: number, at: number): Simulated => ({ id, sn: names[at] ?? '', zone: plan.zones[at] ?? 'UTC', offers: new Map() });
  const merchants = [(await makeMerchant(admin, bank.id)).id, (await makeMerchant(admin, bank.id)).id];
  const [all, spare] = [ids.map(simulated), simulated(spareId, ids.length)];
  const world: World = { fleet: all, spare, packages, tasks: [], plan, merchants, been: new Map() };
  for (const [at, one] of world.fleet.entries()) {
    await assign(world, { at, to: at % merchants.length });
    await terminals.hello(one);
  }
  await release(world);
  return world;
}

async function assign({ fleet, merchants, been }: World, { at, to }: { at: number; to: number }): Promise<void> {
  const { id = 0 } = fleet[at % fleet.length] ?? {};
  await may(admin.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: merchants[to] ?? null }));
  await app.runJobs();
  await noteMerchants({ fleet, been });
}

async function noteMerchants({ fleet, been }: Pick<World, 'fleet' | 'been'>): Promise<void> {
  const ids = fleet.map((one) => one.id);
  const found = await rows(
    sql<{
      id: number;
      merchant_id: number;
    }>`select id, merchant_id from device where id = any(${ids}::bigint[]) and merchant_id is not null`,
  );
  for (const { id, merchant_id: merchant } of found) been.set(id, (been.get(id) ?? new Set()).add(merchant));
}

/** Who is in a release to merchants has been of one of them. */
async function ofItsMerchants({ fleet, been, tasks }: World): Promise<void> {
  await noteMerchants({ fleet, been });
  for (const { id, merchantIds } of tasks.filter((one) => one.merchantIds.length > 0)) {
    const taken = await rows(sql<{ device_id: number }>`select device_id from rollout_result where task_id = ${id}`);
    for (const one of taken)
      expect(
        [...(been.get(one.device_id) ?? [])].some((of) => merchantIds.includes(of)),
        'in a release to others',
      ).toBe(true);
  }
}

async function person(world: World, { act, at }: Extract<Step, { do: 'person' }>): Promise<void> {
  const { id = 0 } = world.tasks[at % world.tasks.length] ?? {};
  const [row] = await rows(sql<{ open_ring: number }>`select open_ring from rollout_task where id = ${id}`);
  if (act === 'retry') await may(admin.send(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } }));
  else if (act !== 'openRing') await may(admin.send(taskCalls[act], { id }));
  else await may(admin.send(taskCalls.openRing, { id, ring: (row?.open_ring ?? 0) + 1 }));
}

async function fleet(world: World, { act, at }: Extract<Step, { do: 'fleet' }>): Promise<void> {
  const one = world.fleet[at % world.fleet.length];
  if (!one) return;
  const of = { ids: [one.id] };
  if (act === 'move') await may(admin.send(deviceCalls.move, { of, deptId: at % 2 ? bank.id : branch.id }));
  else if (act === 'swap') {
    await may(admin.send(deviceCalls.swap, { id: one.id, otherId: world.spare.id, goes: 'disabled' }));
    if (!world.fleet.includes(world.spare)) world.fleet.push(world.spare);
    // What waits for the one waits for the other now.
    world.been.set(world.spare.id, new Set([...(world.been.get(world.spare.id) ?? []), ...(world.been.get(one.id) ?? [])]));
  } else {
    if (act === 'delete') await may(admin.send(deviceCalls.disable, { of }));
    await may(admin.send(deviceCalls[act], { of }));
  }
  if (act === 'disable' || act === 'delete' || act === 'swap') terminals.lost(one);
  await app.runJobs();
}

async function contact(one: Simulated, there: boolean): Promise<void> {
  if (there) {
    await terminals.hello(one);
    return;
  }
  terminals.lost(one);
  await rows(sql`update device_presence set lease_until = ${new Date(app.clock.now.getTime() - 1)} where device_id = ${one.id}`);
  await loseDevices(app.context, [one.id]);
}

/** People add blackout dates, and take them back. */
async function blackout(step: Extract<Step, { do: 'blackout' | 'opened' }>): Promise<void> {
  if (step.do === 'blackout') {
    const fromDay = dayFrom(app.clock.now, step.from);
    const asked = { name: 'Closed', fromDay, toDay: addDays(fromDay, step.days - 1), deptId: step.below ? branch.id : bank.id };
    await may(admin.send(blackoutCalls.add, asked));
  } else {
    const known = await rows(sql<{ id: number }>`select id from release_blackout order by id`);
    const one = known[step.at % known.length];
    if (one) await may(admin.send(blackoutCalls.delete, { id: one.id }));
  }
  await app.runJobs();
}

/** What was installed was installed in the hours of its release, and who is in contact knows of the blackout dates that there are. */
async function inItsWindow(world: World, one: Simulated, offer: string): Promise<void> {
  const [row] = await rows(
    sql<{ task_id: number }>`select r.task_id from rollout_attempt a join rollout_result r on r.id = a.result_id where a.offer = ${offer}`,
  );
  const window = world.tasks.find((task) => task.id === row?.task_id)?.window;
  if (window) expect(isInWindow(window, app.clock.now, one.zone), `${one.sn} installs outside its window`).toBe(true);
  const today = dayOf(app.clock.now, one.zone);
  const closed = await rows(sql`
    select b.id from release_blackout b join device d on d.dept_path like b.dept_path || '%' join device_presence p on p.device_id = d.id
    where d.id = ${one.id} and p.online and d.status = '3' and d.deleted_at is null and ${today} between b.from_day and b.to_day`);
  expect(closed, `${one.sn} installs on a blackout date`).toEqual([]);
}

async function work(world: World, { who, end, fail }: Extract<Step, { do: 'work' }>): Promise<void> {
  for (const [at, one] of world.fleet.entries()) {
    const is = (bits: number) => ((bits >> (at % 8)) & 1) === 1;
    const installed = is(who) ? await terminals.work(one, is(end) ? (is(fail) ? 'failure' : 'success') : null) : undefined;
    if (installed !== undefined) await inItsWindow(world, one, installed);
  }
}

async function take(world: World, step: Step): Promise<void> {
  const one = 'at' in step ? world.fleet[step.at % world.fleet.length] : undefined;
  if (step.do === 'pass') pass(step.minutes);
  else if (step.do === 'release') await release(world);
  else if (step.do === 'person') await person(world, step);
  else if (step.do === 'fleet') await fleet(world, step);
  else if (step.do === 'blackout' || step.do === 'opened') await blackout(step);
  else if (step.do === 'assign') await assign(world, step);
  else if (step.do === 'work') await work(world, step);
  else if (!one) return;
  else if (step.do === 'contact') await contact(one, step.there);
  else if (step.do === 'waits') await terminals.waits(one);
  else await terminals.again(one, step.outcome);
}

interface Standing {
  readonly id: number;
  readonly state: string;
  readonly open_ring: number;
  readonly attempts: number;
  readonly done: number[];
}
const standing = (world: World) =>
  rows(sql<Standing>`
    select t.id, t.state, t.open_ring, (select count(*)::int from rollout_attempt a join rollout_result r on r.id = a.result_id where r.task_id = t.id) as attempts,
      array(select r.device_id from rollout_result r where r.task_id = t.id and r.state in ('3', '6') order by 1) as done
    from rollout_task t where t.id = any(${world.tasks.map((task) => task.id)}::bigint[]) order by t.id`);

/** What holds between two moments, whatever happened in between. */
function follows(before: readonly Standing[], after: readonly Standing[], step: Step | undefined): void {
  const mayGoOn = step?.do === 'person' && ['recover', 'retry', 'start'].includes(step.act);
  for (const now of after) {
    const then = before.find((one) => one.id === now.id);
    if (!then) continue;
    for (const device of then.done) expect(now.done, 'a success is lost').toContain(device);
    expect(now.open_ring).toBeGreaterThanOrEqual(then.open_ring);
    if (mayGoOn || ['scheduled', 'running'].includes(then.state)) continue;
    expect([now.attempts, now.open_ring], `what is ${then.state} grows`).toEqual([then.attempts, then.open_ring]);
  }
}

const grownSince = (before: readonly Standing[], after: readonly Standing[]) =>
  after.flatMap(({ id, attempts }) => (attempts > (before.find((one) => one.id === id)?.attempts ?? 0) ? [id] : []));

/** What holds at every moment; `grown` are releases that went out to somebody just now. */
async function holds(world: World, grown: readonly number[]): Promise<void> {
  const ids = world.tasks.map((task) => task.id);
  const { now } = app.clock;
  const mine = sql`r.task_id = any(${ids}::bigint[])`;
  expect(
    await rows(sql`select device_id from rollout_result r where r.state = '2' group by device_id, kind, part having count(*) > 1`),
    'a terminal in two releases',
  ).toEqual([]);
  expect(
    await rows(sql`
      select coalesce(a.id, b.id) as id, a.n, b.n as counted from (select task_id as id, ring, state, count(*)::int as n from rollout_result r where ${mine} group by 1, 2, 3) a
      full join (select task_id as id, ring, state, sum(n)::int as n from rollout_tally where task_id = any(${ids}::bigint[]) group by 1, 2, 3 having sum(n) <> 0) b
      on a.id = b.id and a.ring = b.ring and a.state = b.state where a.n is distinct from b.n`),
    'counts differ',
  ).toEqual([]);
  expect(
    await rows(sql`
      select r.id from rollout_result r join rollout_task t on t.id = r.task_id where ${mine}
        and (r.ring > t.open_ring and r.attempts > 0 or r.attempts <> (select count(*) from rollout_attempt a where a.result_id = r.id)
        or t.state in ('running', 'paused', 'halted') and r.state = '2' and r.due_at < ${now} or r.state = '2' and r.due_at is null)`),
    'a closed ring that was sent, an attempt lost, or silence unheard',
  ).toEqual([]);
  expect(
    await rows(sql`
      select t.id from rollout_task t join lateral (select id, to_state from state_change where life = 'task' and row_id = t.id order by id desc limit 1) l on true
      where t.id = any(${ids}::bigint[]) and l.to_state <> 'running' and exists (
        select from state_change s join rollout_result r on r.id = s.row_id and r.task_id = t.id where s.life = 'taskResult' and s.event = 'send' and s.id > l.id)`),
    'sent after it was stopped',
  ).toEqual([]);
  // Once each, and as it was said first.
  const attempts = await rows(
    sql<{ offer: string; task_id: number; sent_at: Date; outcome: string | null }>`
      select a.offer, r.task_id, a.sent_at, a.outcome from rollout_attempt a join rollout_result r on r.id = a.result_id where ${mine}`,
  );
  for (const { offer, outcome } of attempts) expect(outcome, offer).toBe(terminals.told.get(offer) ?? null);
  expect(
    await rows(sql`
      select s.row_id from state_change s join rollout_result r on r.id = s.row_id where s.life = 'taskResult' and ${mine} and s.event in ('succeed', 'lateSuccess')
      group by s.row_id having count(*) > 1`),
    'a success counted twice',
  ).toEqual([]);
  for (const { id, pacePerMinute, paceAtOnce } of world.tasks) {
    const sent = attempts.filter((one) => one.task_id === id).map((one) => one.sent_at.getTime());
    const most = Math.max(0, ...sent.map((end) => sent.filter((one) => one > end - MINUTE && one <= end).length));
    if (pacePerMinute !== null) expect(most, 'sent in a minute').toBeLessThanOrEqual(pacePerMinute);
    // Who waits for Wi-Fi isn't at work, and goes on by itself: nobody more is sent it then.
    const [atOnce] = await rows(sql<{ n: number }>`select count(*)::int as n from rollout_result where task_id = ${id} and ${isAtWork}`);
    if (paceAtOnce !== null && grown.includes(id)) expect(atOnce?.n, 'sent at once').toBeLessThanOrEqual(paceAtOnce);
  }
}

const lastChange = async () => (await rows(sql<{ id: number }>`select coalesce(max(id), 0)::int as id from state_change`))[0]?.id ?? 0;

/** Who was timed out was silent: since their last word, or since the window that they waited for was open. */
async function silenceAlone(world: World, since: number): Promise<void> {
  const { now } = app.clock;
  const ended = await rows(
    sql<{ offer: string; device_id: number; task_id: number; sent_at: Date; timeout: number; days: number; window: Window | null }>`
      select r.offer, r.device_id, r.task_id, r.sent_at, (t.delivery->>'timeoutMinutes')::int as timeout, (t.delivery->>'waitingDays')::int as days, t.delivery->'window' as window
      from state_change s join rollout_result r on r.id = s.row_id join rollout_task t on t.id = r.task_id
      where s.life = 'taskResult' and s.event = 'timeOut' and s.id > ${since} and s.detail is null and r.task_id = any(${world.tasks.map((task) => task.id)}::bigint[])`,
  );
  for (const one of ended) {
    const word = terminals.words.get(one.offer) ?? { at: one.sent_at, waits: null };
    const silent = now.getTime() - word.at.getTime();
    // A clock is put off by steps of a tenth.
    if (word.waits === null) expect(silent, 'timed out too early').toBeGreaterThanOrEqual(one.timeout * MINUTE * 0.9);
    else if (word.waits === 'network') expect(silent, 'timed out while it waits').toBeGreaterThanOrEqual(one.days * 1440 * MINUTE * 0.9);
    else if (one.window) {
      const zone = [...world.fleet, world.spare].find((terminal) => terminal.id === one.device_id)?.zone ?? 'UTC';
      let opened = false;
      for (let at = word.at.getTime(); at <= now.getTime() && !opened; at += 15 * MINUTE)
        opened = isInWindow(one.window, new Date(at), zone);
      expect(opened, 'timed out before its window').toBe(true);
    }
  }
}

/** Time passes, and nothing is heard any more. */
async function ends(world: World): Promise<void> {
  for (const days of [11, 11, 11]) {
    pass(days * 1440);
    await settle();
  }
  const states = (await standing(world)).map((one) => one.state);
  for (const state of states) expect(endedTasks).toContain(state);
  const ids = world.tasks.map((task) => task.id);
  const open = sql`select r.id from rollout_result r where r.task_id = any(${ids}::bigint[]) and r.state in ('1', '2', '8')`;
  expect(await rows(open), 'open after the end').toEqual([]);
}

const wanted = ['succeed', 'fail', 'timeOut', 'retry', 'expire'];
/** What the hours of this day let nobody meet in the first fleets, further ones have. */
const TURNS = 4;

test(`whatever terminals, people and clocks do, releases keep their word (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(planned, async (plan) => {
    const world = await build(plan);
    await settle();
    for (const step of plan.steps) {
      const before = await standing(world);
      const since = await lastChange();
      await take(world, step);
      await settle();
      const after = await standing(world);
      follows(before, after, step);
      await holds(world, grownSince(before, after));
      await silenceAlone(world, since);
      await ofItsMerchants(world);
    }
    await ends(world);
  });
  // What never happened was not tested.
  let missing: readonly string[] = wanted;
  for (let turn = 0; turn < TURNS && missing.length > 0; turn += 1) {
    await fc.assert(property, { numRuns: RUNS, seed: SEED + turn, endOnFailure: !process.env.FUZZ_SHRINK });
    const happened = await rows(sql<{ event: string }>`select distinct event from state_change where life in ('task', 'taskResult')`);
    missing = wanted.filter((event) => !happened.some((one) => one.event === event));
  }
  expect(missing).toEqual([]);
}, 3_600_000);
