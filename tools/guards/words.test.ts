import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { retiredFaults } from './words.ts';

/** Where the phrase is right, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'auth.passkey.there': 'a person’s own device',
  'account.sessions.text': 'a person’s own devices',
};

test('no English text goes back to a retired phrase', () => {
  expect(retiredFaults(textTables, allowed)).toEqual([]);
});

test.each(['Add device', 'Firmware tasks', 'Digest wrong', 'This is needed.', 'Handed in'])('“%s” is seen', (text) => {
  expect(retiredFaults({ a: { 'a.b': [text, '甲'] } }, {})).not.toEqual([]);
});
