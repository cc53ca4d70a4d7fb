import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { type WhyFacts, why } from './why.ts';

const now = new Date('2026-03-01T12:00:00Z');
const facts = (more: Partial<WhyFacts>): WhyFacts => ({
  state: '1',
  taskState: 'running',
  ring: 1,
  openRing: 1,
  gate: null,
  online: true,
  activated: true,
  lastSeenAt: now,
  busy: false,
  attempts: 0,
  nextAt: now,
  phase: null,
  percent: null,
  reason: null,
  version: null,
  ...more,
});

test.each([
  [{ taskState: 'scheduled' }, 'why.task'],
  [{ ring: 2 }, 'why.ring'],
  [{ ring: 3, gate: 2 }, 'why.approval'],
  [{ ring: 2, gate: 2 }, 'why.ring'],
  [{ activated: false, online: false }, 'why.neverSeen'],
  [{ online: false }, 'why.offline'],
  [{ busy: true }, 'why.busy'],
  [{ attempts: 1, nextAt: new Date('2026-03-01T12:05:00Z'), reason: 'hashWrong' }, 'why.retryWait'],
  [{ reason: 'notServed' }, 'why.notServed'],
  [{ attempts: 1, nextAt: new Date('2026-03-01T12:01:00Z'), reason: 'notServed' }, 'why.notServed'],
  [{}, 'why.pace'],
  [{ state: '2' }, 'why.sent'],
  [{ state: '2', phase: 'downloading', percent: 41.6 }, 'why.downloading'],
  [{ state: '2', online: false }, 'why.offline'],
  [{ opens: { at: null, zone: 'UTC' } }, 'why.windowNever'],
  [{ opens: { at: now, zone: 'UTC' } }, 'why.pace'],
  [{ state: '2', phase: 'waiting', reason: 'window', opens: { at: now, zone: 'UTC' } }, 'why.windowOpens'],
  [{ state: '2', phase: 'waiting', reason: 'window' }, 'why.waiting'],
  [{ state: '2', phase: 'waiting', reason: 'network', opens: { at: null, zone: 'UTC' } }, 'why.waiting'],
  [{ state: '3', version: '2.0' }, 'why.success'],
  [{ state: '4', reason: 'noSpace' }, 'why.failed'],
  [{ state: '5' }, 'why.timeout'],
  [{ state: '6' }, 'why.success'],
  [{ state: '7' }, 'why.failed'],
  [{ state: '8' }, 'why.taskPaused'],
  [{ state: '9', reason: 'replaced' }, 'why.cancelled'],
  [{ state: '10' }, 'why.deviceDeleted'],
] as [Partial<WhyFacts>, string][])('%o → %s', (more, key) => {
  expect(why(facts(more), now).key).toBe(key);
  expect(Object.keys(textTables.rollout)).toContain(key);
});
