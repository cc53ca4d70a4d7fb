import { expect, test } from 'vitest';
import { allCalls } from '../index.ts';

/** Specification, section 7: calls are POST unless noted. */
const noted = ['/sys/captcha', '/unLogin/multiLang/findByCriteria'];
/** Not in the specification: a browser goes there by itself, for a picture, a file or on its way to another sign-in. */
const byTheBrowser = (path: string) =>
  path.startsWith('/unLogin/pageSetting/picture/') ||
  path === '/sys/login/oidc/start' ||
  path === '/sys/login/oidc/callback' ||
  path.startsWith('/file/');

test('calls are POST, but those that are noted', () => {
  const others = allCalls.filter((call) => call.method !== 'POST' && !byTheBrowser(call.path)).map((call) => call.path);
  expect(others.sort()).toEqual([...noted].sort());
});
