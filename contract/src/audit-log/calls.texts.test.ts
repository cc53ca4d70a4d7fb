import { expect, it } from 'vitest';
import { allCalls } from '../index.ts';
import { auditCallTexts } from './calls.texts.ts';

const named = allCalls.filter((call) => call.audited && (call.can === 'session' || call.can === 'public')).map((call) => call.path);

it('says in words what was done with each call that stands at no page', () => {
  expect(named.filter((path) => !(`log.call.${path}` in auditCallTexts))).toEqual([]);
});
