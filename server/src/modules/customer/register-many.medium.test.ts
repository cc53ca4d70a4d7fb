import { awsCalls } from '@mooring/contract/customer/registration';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Aws, awsServer } from './aws.factory.ts';
import { awsWords } from './aws-words.factory.ts';
import { type IotBench, iotBench, type Row } from './customer.factory.ts';

let bench: IotBench;
let aws: Aws;
let of: Row;
beforeAll(async () => {
  bench = await iotBench();
  aws = await awsServer();
  of = await bench.add(platform());
});
afterAll(async () => {
  await bench.stop();
  await aws.receiver.stop();
});
const { platform, enrolled, states, work, ids } = awsWords(() => ({ bench, aws }));

const register = (chosen: object, preview = false) =>
  bench.keeper.call(awsCalls.register, { customerId: of.id, of: chosen as { ids: number[] }, preview });
const counts = async () => (await bench.keeper.call(awsCalls.counts, { customerId: of.id })).counts;

test('terminals are registered by their group, and by the filter of their list', async () => {
  const [one, two, ...rest] = await enrolled(bench.bank, 5);
  if (!one || !two) throw new Error('two');
  const grouper = await bench.app.person('platformAdmin', bench.app.root);
  const { id: groupId } = await grouper.call(deviceGroupCalls.add, { name: 'Tills', kind: 'static', deptId: bench.bank.id } as never);
  await grouper.call(deviceGroupCalls.addMembers, { of: { ids: [one.id, two.id] }, groupId });
  const group = { criteria: { groupId: { in: [groupId] } }, except: [] };
  expect(await register(group, true)).toMatchObject({ total: 2, done: 0, refused: 0 });
  expect(await register(group)).toMatchObject({ total: 2, done: 2, refused: 0, work: null });
  // Once more is no more, and says which are there.
  expect(await register(group, true)).toMatchObject({
    total: 2,
    refused: 2,
    failed: [{ label: one.sn, fault: 'IOT_REGISTERED' }, { label: two.sn }],
  });
  expect(await register(group)).toMatchObject({ total: 2, done: 0, refused: 2 });
  const text = { criteria: { text: rest[0]?.sn ?? '' }, except: [] };
  expect(await register(text)).toMatchObject({ total: 1, done: 1 });
  await work();
  expect(await counts()).toMatchObject({ registered: 3, waiting: 0, failed: 0 });
});

test('more than a thousand are taken by a background job, whose failures are named; those that fail later are retried', async () => {
  const many = await bench.terminals(bench.branch, 1001);
  const [disabled, first] = many;
  await bench.keeper.call(deviceCalls.disable, { of: { ids: [disabled?.id ?? 0] } });
  const before = await counts();
  const begun = await register({ criteria: { deptId: bench.branch.id }, except: [] });
  expect(begun).toMatchObject({ total: 1001, done: 0 });
  await bench.app.runJobs();
  const job = await bench.keeper.call(backgroundJobCalls.detail, { id: begun.work ?? 0 });
  expect(job).toMatchObject({
    state: 'done',
    total: 1001,
    done: 1000,
    failed: 1,
    failures: [{ id: disabled?.id, label: disabled?.sn, fault: 'IOT_DEVICE_GONE' }],
  });
  expect((await counts()).waiting).toBe((before.waiting ?? 0) + 1000);
  // None has a certificate: each says so, and is tried again once it has one.
  await work();
  expect((await counts()).failed).toBe(1000);
  const failed = { criteria: { customerId: of.id, state: 'failed' as const, text: first?.sn ?? '' }, except: [] };
  expect((await states(of))[many.at(-1)?.sn ?? '']).toEqual(['failed', 'IOT_NO_CERTIFICATE']);
  expect(await bench.keeper.call(awsCalls.retry, { of: failed })).toMatchObject({ total: 1, done: 1 });
  expect(await counts()).toMatchObject({ failed: 999, waiting: 1 });
  // Asked for again as a whole, those that failed are tried again too.
  expect(await register({ ids: ids(many).slice(0, 10) })).toMatchObject({ total: 10, done: 8, refused: 2 });
});

test('whoever sees more means the terminals of the platform’s organisation; those of another are no part of a filter', async () => {
  await enrolled(bench.other, 2);
  const everything = { criteria: {}, except: [] };
  const [mine, all] = await Promise.all(
    [bench.keeper, bench.admin].map((who) => who.call(awsCalls.register, { customerId: of.id, of: everything, preview: true })),
  );
  expect(all).toMatchObject({ total: mine?.total, refused: mine?.refused });
  const elsewhere = { criteria: { below: bench.other.id }, except: [] };
  expect(await bench.admin.call(awsCalls.register, { customerId: of.id, of: elsewhere })).toMatchObject({ total: 2, done: 0, refused: 2 });
  expect((await bench.outsider.send(awsCalls.register, { customerId: of.id, of: everything })).code).toBe(404);
  expect((await bench.keeper.send(awsCalls.register, { customerId: of.id, of: { criteria: { status: '9' }, except: [] } })).code).toBe(400);
});
