import { expect, it, test } from 'vitest';
import { allCalls } from '../index.ts';
import { textTables } from '../texts.ts';
import { actionOf, serverActs } from './action.ts';
import { outcomeOf, outcomes } from './outcome.ts';

const texts: Record<string, readonly string[]> = Object.assign({}, ...Object.values(textTables));
const platforms = ['centre', 'manager'] as const;

/** Any of them can stand in the log: what only reads too, where it was refused. */
it.each(platforms)('says in words what was done with each call of the contract, and where, on %s', (platform) => {
  const without = allCalls.flatMap((call) => {
    const { text, page } = actionOf(call, platform);
    const keys = [text, `log.domain.${call.domain}`, ...(page === undefined ? [] : [`menu.${page}`])];
    const missing = keys.filter((key) => texts[key]?.length !== 2 || texts[key].some((words) => words === '' || words.includes('/')));
    return missing.length > 0 || text === 'log.call.unknown' ? [call.path] : [];
  });
  expect(without).toEqual([]);
});

it('names what was changed by itself, not by the page of its permission', () => {
  const changing = allCalls.filter((call) => call.audited);
  expect(changing.filter((call) => actionOf(call, 'centre').text === 'log.call.read').map((call) => call.path)).toEqual([]);
  const said = changing.map((call) => {
    const { text, page } = actionOf(call, 'centre');
    return `${texts[text]?.[0]} ${page === undefined ? '' : texts[`menu.${page}`]?.[0]}`;
  });
  expect(said.filter((words, at) => said.indexOf(words) !== at)).toEqual([]);
});

it('claims no success in the name of an act: what became of it stands beside', () => {
  expect(
    Object.entries(texts).filter(
      ([key, [words = '']]) => key.startsWith('log.call.') && /^(Signed|\w+ (changed|created|deleted|set up|sent))/.test(words),
    ),
  ).toEqual([]);
});

test('a code is named by what it was asked for, a call of another version as such', () => {
  const sendCode = { path: '/sys/login/sendCode', can: 'public' };
  expect(actionOf(sendCode, null, 'reset').text).toBe('log.call./sys/login/sendCode.reset');
  expect(actionOf(sendCode, null).text).toBe('log.call./sys/login/sendCode');
  expect(actionOf({ path: '/sys/gone', can: [] }, 'centre')).toEqual({ text: 'log.call.unknown' });
  for (const path of Object.keys(serverActs)) expect(actionOf({ path, can: [] }, null).text).toBe(`log.call.${path}`);
});

test.each([
  ['/sys/login/account', 'done', { signedIn: true }, 'done'],
  ['/sys/login/account', 'done', null, 'secondStep'],
  ['/sys/login/account', 'LOGIN_FAILED', null, 'refused'],
  ['/sysSetting/mail/save', 'done', { changeRequestId: 3 }, 'requested'],
  ['/sysSetting/mail/save', 'done', { host: 'mail.example' }, 'done'],
  ['npm run token', 'ok', { for: 'admin' }, 'done'],
  ['/sys/menus/counts', 'NO_SESSION', { count: 2 }, 'noSession'],
])('%s, %s, %j: %s', (call, result, after, outcome) => {
  expect(outcomeOf({ call, result, after })).toBe(outcome);
  expect(outcomes.every((one) => texts[`log.result.${one}`]?.length === 2)).toBe(true);
});
