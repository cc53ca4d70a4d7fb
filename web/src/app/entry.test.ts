import { expect, it, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/', host: 'x', protocol: 'http:' });
vi.stubGlobal('document', { addEventListener: () => {}, hidden: false, documentElement: {} });
vi.stubGlobal('addEventListener', () => {});
const { firstDept, mustChange } = await import('./entry.ts');

const user = (userCategory: string) => ({ userCategory, relateDept: { deptId: 9, deptName: '', userType: '1' } });

it.each([
  ['the centre is one’s own and all below', 'centre', '1', [{ id: 4 }], 4, 0],
  ['a manager begins with the first managed one', 'manager', '1', [{ id: 4 }, { id: 5 }], 0, 4],
  ['a reload keeps the tab’s own', 'manager', '1', [{ id: 4 }, { id: 5 }], 5, 5],
  ['a foreign one is not kept', 'manager', '1', [{ id: 4 }], 77, 4],
  ['others begin with their own', 'manager', '0', [{ id: 9 }, { id: 4 }], 0, 9],
  ['a manager without any begins with their own', 'manager', '1', [], 0, 9],
] as const)('%s', (_name, platform, category, depts, kept, deptId) =>
  expect(firstDept(platform, user(category), [...depts], kept)).toBe(deptId),
);

it('asks for a new password', () => {
  const good = { pwdDefFlag: false, pwdPatternCheck: true, pwdExpireCheck: true };
  expect([
    mustChange(good),
    mustChange({ ...good, pwdDefFlag: true }),
    mustChange({ ...good, pwdPatternCheck: false }),
    mustChange({ ...good, pwdExpireCheck: false }),
  ]).toEqual([undefined, 'first', 'weak', 'weak']);
});
