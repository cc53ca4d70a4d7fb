import { expect, it, test } from 'vitest';
import { allCalls } from '../index.ts';
import { auditLogTexts } from './audit-log.texts.ts';
import { logDomains } from './calls.ts';
import { readTarget, targetKinds, wordsOfTarget } from './target.ts';

it.each([
  ['role Night shift', { kind: 'role', name: 'Night shift' }],
  ['dict entry fishery', { kind: 'dict entry', name: 'fishery' }],
  ['webhook delivery 01J', { kind: 'webhook delivery', name: '01J' }],
  ['disable: 12 devices', { kind: 'devices', name: 'disable', count: 12 }],
  ['import: 3 people', { kind: 'people', name: 'import', count: 3 }],
  ['text ar menu.log', { kind: 'text', name: 'ar menu.log' }],
  ['Region Europe', undefined],
  ['rolex', undefined],
  ['devices', undefined],
])('the target %s', (target, read) => expect(readTarget(target)).toEqual(read));

test('a target is said with the name of its setting, and as it is where it is a name alone', () => {
  const say = (key: string, params?: Record<string, string | number>) => `${key}(${Object.values(params ?? {})})`;
  expect(wordsOfTarget('setting alarmReceivers', say)).toBe('log.on.setting(settings.tab.alarms())');
  expect(wordsOfTarget('setting of another version', say)).toBe('log.on.setting(of another version)');
  expect(wordsOfTarget('enable: 1 people', say)).toBe('log.on.people(1)');
  expect(wordsOfTarget('Harbour Bank', say)).toBe('Harbour Bank');
});

test('each kind and each part that changes something has its words', () => {
  expect([...new Set(allCalls.filter((one) => !one.reads).map((one) => one.domain))].sort()).toEqual([...logDomains].sort());
  const wanted = [...targetKinds, 'people', 'devices', 'grants']
    .map((kind) => `log.on.${kind}`)
    .concat(logDomains.map((one) => `log.domain.${one}`));
  expect(wanted.filter((key) => !(key in auditLogTexts))).toEqual([]);
});
