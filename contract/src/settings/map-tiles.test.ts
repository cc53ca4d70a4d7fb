import { expect, test } from 'vitest';
import { MapTiles, originOf, withKey } from './map-tiles.ts';

test('an address of tiles is taken with its key, and says whom pictures come from', () => {
  const { data } = MapTiles.safeParse({ url: 'https://tiles.example.com:8443/v1/{z}/{x}/{y}.png?key={key}', key: 'a b&c' });
  expect(data && withKey(data)).toBe('https://tiles.example.com:8443/v1/{z}/{x}/{y}.png?key=a%20b%26c');
  expect(data && originOf(data)).toBe('https://tiles.example.com:8443');
  expect(originOf(MapTiles.parse({}))).toBeUndefined();
});

// What is said here goes into the policy of every page.
test.each([
  'https://tiles.example.com/{z}/{x}.png',
  'https://tiles.example.com/{z}/{x}/{y}/{style}.png',
  'https://tiles.example.com/{z}/{x}/{y}}.png',
  'javascript:alert(1)/{z}/{x}/{y}',
  'data:image/png,{z}{x}{y}',
  "https://tiles.example.com;script-src 'unsafe-inline'/{z}/{x}/{y}",
  'https://*/{z}/{x}/{y}',
  'https://*.example.com/{z}/{x}/{y}',
  'https://a.example b.example/{z}/{x}/{y}',
  'https://a.example,b.example/{z}/{x}/{y}',
  'https://user:secret@tiles.example.com/{z}/{x}/{y}',
  'https://tiles.example.com/{z}/{x}/{y}\r\nset-cookie: a=b',
  '//tiles.example.com/{z}/{x}/{y}',
  `https://tiles.example.com/{z}/{x}/{y}${'a'.repeat(500)}`,
])('an address that is none is refused: %s', (url) => {
  expect(MapTiles.safeParse({ url }).success).toBe(false);
  expect(originOf({ url: url.slice(0, 400) })?.replace('https://tiles.example.com', '') ?? '').toBe('');
});
