import { expect, test } from 'vitest';
import { nameAgain } from './name-again.ts';

test('what goes out again says so once, whoever said it before', () => {
  expect(nameAgain('en', 'Wi-Fi')).toBe('Wi-Fi (again)');
  expect(nameAgain('en', 'Wi-Fi (again)')).toBe('Wi-Fi (again)');
  expect(nameAgain('zh-CN', 'Wi-Fi (again)')).toBe('Wi-Fi（重新下发）');
  expect(nameAgain('en', 'Wi-Fi（重新下发）')).toBe('Wi-Fi (again)');
});

test('a long name leaves room for it', () => {
  const name = nameAgain('en', 'x'.repeat(64));
  expect(name).toHaveLength(64);
  expect(name.endsWith('x (again)')).toBe(true);
  expect(nameAgain('en', name)).toBe(name);
});
