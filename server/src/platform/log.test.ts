import { expect, test } from 'vitest';
import { makeLog } from './log.ts';

function lines(level = 'info') {
  const said: { level: string; msg: string }[] = [];
  return { said, ...makeLog(level, { write: (line) => void said.push(JSON.parse(line)) }) };
}

test('an outage is said when it begins and when it is over, however many meet it', () => {
  const { said, log, answers } = lines();
  for (let times = 0; times < 300; times += 1) {
    log.warn({ error: 'connect ECONNREFUSED 127.0.0.1:5432' }, 'database connection lost');
    log.error({ error: String(new Error('Connection terminated unexpectedly')) }, 'outbox');
    log.error({ jobs: true }, 'Failed to acquire job: timeout exceeded when trying to connect');
  }
  log.error({ error: 'no such column' }, 'something else');
  answers('database');
  answers('database');
  expect(said.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'warn database connection lost',
    'warn the database is away; until it answers, what meets it is said on debug only',
    'error something else',
    'warn the database answers again',
  ]);
  log.error({ error: 'Connection terminated unexpectedly' }, 'outbox');
  expect(said).toHaveLength(6);
});

test('the store is another one, and debug says everything', () => {
  const { said, log, answers } = lines('debug');
  log.error({ error: "the object store doesn't answer: ECONNREFUSED 10.0.0.1:9000" }, 'sweep');
  log.error({ error: 'the object store answers 503' }, 'call put off');
  answers('database');
  expect(said.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'error sweep',
    'warn the object store is away; until it answers, what meets it is said on debug only',
    'debug call put off',
  ]);
});
