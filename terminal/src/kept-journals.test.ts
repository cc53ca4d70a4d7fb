import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryJournal } from './journal.ts';
import { keepJournals } from './kept-journals.ts';

const folder = mkdtempSync(join(tmpdir(), 'mooring-journals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a fleet that is killed forgets nothing that its terminals acted on', () => {
  const path = join(folder, 'fleet.json');
  const killed = keepJournals(path);
  const journal = memoryJournal('1.0.0', () => killed.note('T-1', journal));
  journal.save();
  journal.firmware = '2.0.0';
  journal.installs.push({ offer: 'o-1', version: '2.0.0', sha256: 'abc', at: '2026-01-01T00:00:00Z' });
  journal.save();
  appendFileSync(`${path}.log`, '["T-1",{"firmware":"3.');
  // Nothing was closed; the line in the middle of which it was killed doesn't count.
  const next = keepJournals(path);
  expect(next.of('T-1')).toMatchObject({ firmware: '2.0.0', installs: [{ version: '2.0.0' }] });
  expect(next.of('T-2')).toBeUndefined();
  const other = memoryJournal('1.0.0', () => next.note('T-2', other));
  other.save();
  next.close();
  const last = keepJournals(path);
  expect([last.of('T-1')?.firmware, last.of('T-2')?.firmware]).toEqual(['2.0.0', '1.0.0']);
});
