import { allCalls } from '@mooring/contract/index';
import type { Platform } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionsOf, seededRoles } from '../../src/modules/access/api.ts';
import type { DeptAt } from '../../src/modules/org/api.ts';
import { type TestApp, testApp } from '../test-app.ts';

/** docs/access.md against the server: each call × each seeded role × each platform, allowed exactly where the declarations say so. */
let app: TestApp;
let bank: DeptAt;
beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
});
afterAll(() => app.stop());

/** These end the session that asks. */
const ending = new Set(['/sys/logout', '/sys/user/cancel']);
const asked = allCalls.filter((call) => call.can !== 'public' && call.wire === 'json' && !ending.has(call.path));
const cells = seededRoles.flatMap((role) => role.platforms.map((platform) => [role.code, platform] as const));

describe.each(cells)('%s on the %s platform', (code, platform: Platform) => {
  test('makes what the declarations allow, and nothing else', async () => {
    const role = seededRoles.find((one) => one.code === code);
    const held = permissionsOf(role?.menus ?? [], platform);
    const person = await app.person(code, bank, platform);
    const wrong: string[] = [];
    for (const call of asked) {
      const may = (call.platform === undefined || call.platform === platform) && isAllowed(held, call.can);
      // A field that no call knows: what is allowed is refused for it before anything happens, or answers a plain read.
      const { body } = await person.send(call, {}, { payload: { 'no such field': 1 } });
      const refused = body?.fault === 'FORBIDDEN' || body?.fault === 'WRONG_PLATFORM';
      if (refused === may) wrong.push(`${call.path}: ${may ? 'allowed' : 'refused'} by declaration, answered ${body?.fault ?? 'done'}`);
    }
    expect(wrong).toEqual([]);
  });
});

test('there are cells enough for this to mean something', () => {
  expect(cells.length * asked.length).toBeGreaterThan(1000);
});
