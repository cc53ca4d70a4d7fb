import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { endedTasks } from '@mooring/contract/engines/rollout/state-machines';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing, rolloutsOf } from '../../engines/rollout/release.factory.ts';
import type { Rollouts } from '../../engines/rollout/task.ts';
import { round } from '../../engines/rollout/tick.ts';
import { addDept, type DeptAt } from '../org/api.ts';

/** FUZZ_RUNS and FUZZ_SEED: how many releases, and which ones; `npm test` takes the same ones every time. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 12);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

let app: TestApp;
let bank: DeptAt;
let rollouts: Rollouts;
const people = {} as Record<'author' | 'region' | 'line' | 'market' | 'customer', Client>;
type Who = keyof typeof people;
const { sns, offers, subscribe } = releasing(
  () => app,
  () => people.author,
  () => 0,
);

beforeAll(async () => {
  app = await testApp();
  const unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Bank', unit);
  const admin = await app.person('platformAdmin', app.root, 'manager');
  people.author = await app.person('regionMaintainer', unit);
  people.region = await app.person('regionMaintainer', unit);
  people.line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  people.market = await app.person('marketAdmin', { id: 2, path: '1.2.' });
  people.customer = await app.person('orgManager', bank, 'manager');
  rollouts = rolloutsOf(app);
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());

const applying = ['applyTrial', 'applyFull', 'cancelTrial', 'cancelFull', 'end', 'returnToUpdate'] as const;
const taskActs = ['submit', 'enable', 'disable', 'pause', 'recover', 'openRing', 'retry', 'cancel'] as const;
const who = fc.constantFrom<Who>('author', 'region', 'line', 'market', 'customer');
const step = fc.oneof(
  // Whoever's turn it is does what brings it on: otherwise few come far.
  { weight: 10, arbitrary: fc.record({ do: fc.constant('next' as const), blind: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('decide' as const), who, refuse: fc.constantFrom(false, false, true), stale: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply' as const), who, act: fc.constantFrom(...applying) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), who, pace: fc.integer({ min: 1, max: 9 }), again: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('task' as const), who, act: fc.constantFrom(...taskActs) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('result' as const), outcome: fc.constantFrom('success', 'failure', 'failure') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tamper' as const), what: fc.constantFrom('package', 'delivery', 'scope') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(0.01, 0.01, 1, 5, 30) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const rows = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const settle = async () => {
  for (let turns = 0; turns < 60; turns += 1) if (!(await round(app.context, rollouts))) return;
  throw new Error('the engine never rests');
};
/** Whether it was done: people are refused what doesn't go, and nothing breaks over it. */
const may = async (asked: ReturnType<Client['send']>): Promise<boolean> => {
  const { code, body } = await asked;
  if (code >= 500) throw new Error(`${code} ${JSON.stringify(body)}`);
  return code === 200;
};

interface Release {
  readonly id: number;
  readonly auditId: number;
  readonly packageId: number;
  readonly devices: readonly string[];
  /** Who has passed what stands there since it was handed in, and what that was. */
  passed: { readonly place: string; readonly by: Who; readonly content: string }[];
  /** By stage what three people agreed to. */
  readonly agreed: Map<number, Set<string>>;
}
interface Standing {
  readonly step: string;
  readonly hash: string;
  readonly state: string;
  readonly content: string;
  readonly open_ring: number;
}

/** Where it stands, and what would run, without the engine's own digest of it. */
async function standing({ id }: Release): Promise<Standing> {
  const [row] = await rows(sql<Standing>`
    select a.step, a.content_hash as hash, t.state, t.open_ring,
      concat_ws('|', t.kind, t.name, t.remark, t.scope, t.delivery, p.id, p.version, p.kind, p.sha256, p.size) as content
    from rollout_task t join approval_audit a on a.task_id = t.id and a.task_type = '1' join rollout_package p on p.id = t.package_id where t.id = ${id}`);
  if (!row) throw new Error('no release');
  return row;
}

async function handIn(): Promise<Release> {
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  const packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  const devices = sns(4);
  await makeDevices(app, bank, productId, devices);
  const [first = '', second = ''] = devices;
  const { id } = await people.author.call(taskCalls.add, {
    name: 'Release',
    packageId,
    scope: { releaseScope: '2', sns: devices },
    delivery: { rings: [{ sns: [first], openAt: 0 }, { sns: [second], openAt: 0 }, { share: 100 }], retries: 1, retryWaitSeconds: 1 },
    release: true,
  });
  const [audit] = await rows(sql<{ id: number }>`select id from approval_audit where task_id = ${id} and task_type = '1'`);
  return { id, auditId: audit?.id ?? 0, packageId, devices, passed: [], agreed: new Map() };
}

const callAt = (place: string) =>
  place === '1' ? approvalCalls.confirm : place === '4' ? approvalCalls.resultConfirm : approvalCalls.auditResult;

/** What they say that they saw; those who say nothing of it agree to what was handed in. */
async function decide(release: Release, by: Who, refuse: boolean, saw: 'this' | 'other' | 'nothing'): Promise<void> {
  const { step: at, hash, content } = await standing(release);
  const [stage = '', place = ''] = at;
  const seen = saw === 'nothing' ? {} : { contentHash: saw === 'this' ? hash : 'f'.repeat(64) };
  const decision = refuse ? ('1' as const) : ('0' as const);
  const asked = { taskAuditId: release.auditId, auditStep: at, ...seen, decision, comment: 'Because.' };
  const done = await may(people[by].send(callAt(place), asked));
  if (!done) return;
  expect(saw === 'other' && !refuse, 'agreed to what they did not see').toBe(false);
  expect(by, 'judged their own').not.toBe('author');
  if (refuse) {
    release.passed = [];
    return;
  }
  release.passed.push({ place, by, content });
  if (place !== '3') return;
  // Three people, none of them its author, all of them of the same.
  const needed = release.passed.filter((one) => one.place !== '4');
  expect(needed.map((one) => [one.place, one.by])).toEqual([
    ['1', 'region'],
    ['2', 'line'],
    ['3', 'market'],
  ]);
  expect(new Set(needed.map((one) => one.content)).size, 'three people agreed to different things').toBe(1);
  const before = release.agreed.get(Number(stage)) ?? new Set();
  release.agreed.set(Number(stage), before.add(content));
}

async function submit(release: Release, by: Who): Promise<void> {
  if (await may(people[by].send(taskCalls.submit, { id: release.id }))) release.passed = [];
}

async function edit(release: Release, by: Who, pace: number): Promise<boolean> {
  const { code, body } = await people[by].send(taskCalls.detail, { id: release.id });
  if (code !== 200) return false;
  const { name, scope, delivery } = body as unknown as { name: string; scope: object; delivery: object };
  const input = { id: release.id, name, packageId: release.packageId, scope, delivery: { ...delivery, pacePerMinute: pace }, remark: '' };
  return may(people[by].send(taskCalls.edit, input));
}

async function apply(release: Release, by: Who, act: (typeof applying)[number]): Promise<void> {
  const asked = { taskAuditId: release.auditId, comment: 'Because.' };
  if (await may(people[by].send(approvalCalls[act], asked))) release.passed = [];
}

async function next(release: Release, blind: boolean): Promise<void> {
  const { step: at } = await standing(release);
  const turns: Partial<Record<string, Who>> = { '1': 'region', '2': 'line', '3': 'market', '4': 'customer' };
  const decider = turns[at[1] ?? ''];
  if (at === '15') await apply(release, 'author', 'applyTrial');
  else if (at === '25') await apply(release, 'author', 'applyFull');
  else if (at.endsWith('6')) await edit(release, 'author', 5);
  else if (at.endsWith('0')) await submit(release, 'author');
  else if (decider) {
    // Who wrote it would agree, too.
    await decide(release, 'author', false, 'this');
    await decide(release, decider, false, blind ? 'nothing' : 'this');
  }
}

async function act(release: Release, by: Who, what: (typeof taskActs)[number]): Promise<void> {
  const { id } = release;
  if (what === 'submit') return submit(release, by);
  if (what === 'retry') await may(people[by].send(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } }));
  else if (what === 'openRing') await may(people[by].send(taskCalls.openRing, { id, ring: (await standing(release)).open_ring + 1 }));
  else await may(people[by].send(taskCalls[what], { id }));
}

/** As if it were changed past every call. */
async function tamper({ id, packageId }: Release, what: string): Promise<void> {
  if (what === 'package') await rows(sql`update rollout_package set sha256 = md5(sha256) || md5(sha256) where id = ${packageId}`);
  else if (what === 'delivery') await rows(sql`update rollout_task set delivery = jsonb_set(delivery, '{retries}', '9') where id = ${id}`);
  else await rows(sql`update rollout_task set scope = jsonb_set(scope, '{sns,0}', scope->'sns'->1) where id = ${id}`);
}

async function take(release: Release, one: Step): Promise<void> {
  if (one.do === 'next') await next(release, one.blind);
  else if (one.do === 'decide') await decide(release, one.who, one.refuse, one.stale ? 'other' : 'this');
  else if (one.do === 'apply') await apply(release, one.who, one.act);
  else if (one.do === 'edit') {
    if (await edit(release, one.who, one.pace)) release.passed = [];
    if (one.again) await submit(release, one.who);
  } else if (one.do === 'task') await act(release, one.who, one.act);
  else if (one.do === 'tamper') await tamper(release, one.what);
  else if (one.do === 'pass') app.clock.now = new Date(app.clock.now.getTime() + one.hours * 3_600_000);
  else {
    const [offer] = await offers(release.id);
    if (offer) await subscribe('result', offer, { outcome: one.outcome, ...(one.outcome === 'failure' ? { reason: 'noSpace' } : {}) });
  }
}

const sent = ({ id }: Release) =>
  rows(sql<{ offer: string; ring: number }>`
    select a.offer, r.ring from rollout_attempt a join rollout_result r on r.id = a.result_id where r.task_id = ${id} order by a.offer`);

test(`whatever people do, in whatever order, what goes out is what three of them agreed to, and no further than they did (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(16), fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (ahead, more) => {
      const release = await handIn();
      const begun = Array.from({ length: ahead }, (): Step => ({ do: 'next', blind: false }));
      for (const one of [...begun, ...more]) {
        const before = await sent(release);
        const then = await standing(release);
        await take(release, one);
        await settle();
        const now = await standing(release);
        for (const { offer, ring } of await sent(release)) {
          if (before.some((known) => known.offer === offer)) continue;
          const agreed = [...release.agreed].some(([stage, contents]) => (stage === 3 || stage >= ring) && contents.has(now.content));
          expect(agreed, `ring ${ring} at step ${now.step}, ${now.state}`).toBe(true);
          expect(['running', 'halted', 'finished'], then.state).toContain(now.state);
        }
        expect(now.open_ring).toBeLessThanOrEqual(Math.max(1, ...release.agreed.keys()));
      }
      app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000);
      await settle();
      const { state, step: at } = await standing(release);
      // What has never begun is only being written.
      const [{ begun: hasBegun } = { begun: true }] = await rows(
        sql<{ begun: boolean }>`select started_at is not null as begun from rollout_task where id = ${release.id}`,
      );
      if (hasBegun) expect(endedTasks, `${state} at ${at}`).toContain(state);
      await rows(
        sql`update rollout_task set state = 'cancelled', ended_at = now() where id = ${release.id} and state not in ('finished', 'cancelled', 'rejected')`,
      );
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: !process.env.FUZZ_SHRINK },
  );
  // What never happened was not tested.
  const happened = await rows(sql<{ event: string }>`select distinct event from approval_record`);
  expect(happened.map((one) => one.event)).toEqual(expect.arrayContaining(['approveMarket', 'resultConfirm', 'applyTrial', 'edit']));
}, 3_600_000);
