import { expect, test } from 'vitest';
import { isPublicTestKey } from './certificate.ts';

test.each([
  'a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc',
  'c8a2e9bccf597c2fb6dc66bee293fc13f2fc47ec77bc6b2b0d52c11f51192ab8',
  '28bbfe4a7b97e74681dc55c2fbb6ccb8d6c74963733f6af6ae74d8c3a6e879fd',
  '465983f7791f2abeb43ea2cbdc7f21a8260b72bc08a55c839fc1a43bc741a81e',
  'e1dbadce60dc080d15b58a014b0dcf9400e24de23fa00b287a5a982bfebda2ee',
])('a key that everybody has is known by its certificate: %s', (sha256) => {
  expect(isPublicTestKey(sha256)).toBe(true);
  expect(isPublicTestKey(sha256.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(false);
});
