import { expect, test } from 'vitest';
import { reasonText, whyText } from './why-text.ts';

test('a reason of the protocol has words, one that a terminal made up stands as it wrote it', () => {
  expect(reasonText('en', 'noSpace')).toBe('not enough storage');
  expect(reasonText('zh-CN', 'moved')).toBe('终端已转移至其他机构');
  expect(reasonText('en', 'coffeeSpilt')).toBe('coffeeSpilt');
});

test('moments, shares and reasons stand in the reader’s own way', () => {
  const at = '2026-03-01T12:00:00.000Z';
  expect(whyText({ key: 'why.offline', params: { at } }, 'en', 'Asia/Shanghai')).toBe('Offline since 2026-03-01 20:00');
  expect(whyText({ key: 'why.downloading', params: { percent: 40 } }, 'en', 'UTC')).toBe('Downloading, 40%');
  expect(whyText({ key: 'why.retryWait', params: { reason: 'coffeeSpilt', at } }, 'en', 'UTC')).toBe(
    'Failed (coffeeSpilt); retrying at 2026-03-01 12:00',
  );
  const opens = { key: 'why.windowOpens', params: { at, zone: 'Asia/Shanghai' } };
  expect(whyText(opens, 'en', 'UTC')).toBe('Window opens 2026-03-01 20:00 by the terminal’s clock (Asia/Shanghai), 2026-03-01 12:00 here');
  expect(whyText(opens, 'en', 'Asia/Shanghai')).toBe('Window opens 2026-03-01 20:00');
  expect(whyText({ key: 'why.waiting', params: { reason: 'restart', percent: 0 } }, 'zh-CN', 'UTC')).toBe('终端等待中（下次重启）');
});
