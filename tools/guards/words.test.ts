import { textTables } from '@mooring/contract/texts';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { retiredFaults, retiredInDocuments, screenNameFaults } from './words.ts';

const theirs = 'a server or a terminal refuses; people reject';
/** Where the phrase is right, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'auth.passkey.there': 'a person’s own device',
  'account.sessions.text': 'a person’s own devices',
  'log.result.refused': theirs,
  'mail.reason.address': theirs,
  'mail.reason.auth': theirs,
  'mail.reason.message': theirs,
  'mail.reason.refused': theirs,
  'reason.downgradeRefused': theirs,
  'settings.syslog.what.security': theirs,
  'settings.webhook.failed.ECONNREFUSED': theirs,
  'settings.webhook.events.help': 'the name of an event',
  'settings.webhook.newSecret.about': theirs,
};

test('no text goes back to a retired phrase', () => {
  expect(retiredFaults(textTables, allowed)).toEqual([]);
});

test.each([
  'Add device',
  'Firmware tasks',
  'Digest wrong',
  'This is needed.',
  'Handed in',
  'Works on',
  'Take a release back to draft',
  'Refuse a change',
  'Change the alert recipients',
  'Export trusteeships',
  'Digests of files',
  'Bulk acts',
  'Code lists',
  'Unbinds a key',
  'Halt at failures (%)',
  'Runs now',
  'Gets',
  'In work',
  'Curve',
  'Wrong tries',
  'Ends in any case after 7 days',
  'Most at once',
  'Equal characters in a row',
  'Expected and asking',
  'It receives no more.',
])('“%s” is seen', (text) => {
  expect(retiredFaults({ a: { 'a.b': [text, '甲'] } }, {})).not.toEqual([]);
});

test.each(['网络钩子已停用', '终端已禁用'])('“%s” is seen', (text) => {
  expect(retiredFaults({ a: { 'a.b': ['Fine', text] } }, {})).toHaveLength(1);
});

test('no document goes back to a retired phrase', () => {
  expect(retiredInDocuments(sourceFiles())).toEqual([]);
});

test.each([
  'banks and makers run',
  'registration and real\nnames',
  '| trusteeship | an organisation |',
  'all trusteeships of a unit',
  'the maintenance and the customer platform',
])('in a document “%s” is seen', (text) => {
  expect(retiredInDocuments([{ path: 'docs/operate.md', text }])).toHaveLength(1);
});
test.each(['`footprint` in the code', 'a second device\n\n- back', '| take it |\n| back up |'])('in a document “%s” passes', (text) => {
  expect(retiredInDocuments([{ path: 'docs/operate.md', text }])).toEqual([]);
});

test.each([
  'The receiver refuses it.',
  'Nobody can change it.',
  '| {{life.alarm.open}} | Somebody works at it. |',
  'It asks to be let in.',
  'A [recall](/help/messages) can be\ntaken back.',
  'Receivers are told.',
  'Terminals in contact get it.',
])('in an article “%s” is seen', (text) => {
  expect(retiredInDocuments([{ path: 'docs/help/en/alarms.md', text }])).toHaveLength(1);
});
test.each(['---\nroutes: /refused\n---\n\nWell', '{{life.devicePending.refused}} | Isn’t accepted', '[it](/help/refused)'])(
  'in an article “%s” passes',
  (text) => {
    expect(retiredInDocuments([{ path: 'docs/help/en/alarms.md', text }])).toEqual([]);
  },
);
test('in a Chinese article too', () => {
  expect(retiredInDocuments([{ path: 'docs/help/zh-CN/alarms.md', text: '终端已禁用' }])).toHaveLength(1);
});

const english = new Set(Object.values(textTables).flatMap((table) => Object.values(table).map(([en]) => en)));
/** Of another program; with a figure in it. */
const others = new Set(['Dashboards → Import', 'Release to 8 terminals']);

test('every page, field and button that a document names is there', () => {
  expect(screenNameFaults(sourceFiles(), english, others)).toEqual([]);
});

test.each(['on _Expected and asking terminals_', 'on _Settings → Without a real name_', 'on _Changes to\nrefuse_'])(
  '“%s” is seen',
  (text) => {
    expect(screenNameFaults([{ path: 'docs/operate.md', text }], english, others)).toHaveLength(1);
  },
);
test.each(['on _Changes to\napprove_', 'on _Settings → Registration_', '`FACTORY_NOT_MANY_`', '_device_ is its record'])(
  '“%s” passes',
  (text) => {
    expect(screenNameFaults([{ path: 'docs/operate.md', text }], english, others)).toEqual([]);
  },
);
