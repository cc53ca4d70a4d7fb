import { expect, test } from 'vitest';
import { deploymentOf } from './deployment.ts';
import { digestIn, reportedSettings } from './settings.ts';
import { documentIn, shownWords } from './show-content.ts';
import { signedOffer, withTerminal, withTerminalFor } from './signed-offer.factory.ts';

const objection = (kind: string, of: object): string | undefined =>
  withTerminal('SN000001', (tools) => deploymentOf(signedOffer(kind, of), tools)?.objection());

test.each([
  ['an advert', 'storeAdvertSpace', { content: 'storeAdvertSpace', name: 'idle' }, undefined],
  ['an advert as firmware', 'firmware', { content: 'storeAdvertSpace', name: 'idle' }, 'kindWrong'],
  ['firmware as an advert', 'storeAdvertSpace', {}, 'kindWrong'],
  ['a desktop as an advert', 'storeAdvertSpace', { content: 'customizeDesktop' }, 'kindWrong'],
  ['another product’s desktop', 'customizeDesktop', { content: 'customizeDesktop', product: 'Q80' }, 'productWrong'],
])('a terminal that is offered %s', (_name, kind, of, reason) => {
  expect(objection(kind, of)).toBe(reason);
});

const document = { format: 1 as const, kind: 'storeAdvertSpace', name: 'Summer', values: { place: 'idle' }, files: [] };
/** A tar whose first file has this name and text. */
function archive(name: string, text: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc(512)]);
}

test.each([
  ['nothing', Buffer.alloc(0)],
  ['zeroes', Buffer.alloc(2048)],
  ['another first file', archive('evil.json', JSON.stringify(document))],
  ['no JSON', archive('content.json', '{"format":1')],
  ['another format', archive('content.json', JSON.stringify({ ...document, format: 2 }))],
  [
    'a length beyond all sense',
    Buffer.concat([Buffer.from('content.json'), Buffer.alloc(112), Buffer.from('77777777777\0'), Buffer.alloc(400)]),
  ],
])('an archive of %s says nothing', (_name, bytes) => {
  expect(documentIn(bytes)).toBeUndefined();
});

test('what it shows is reported by its digest, each place for itself, and a reset gives it back', async () => {
  expect(documentIn(archive('content.json', JSON.stringify(document)))).toEqual(document);
  await withTerminal('SN000001', async (tools) => {
    const { journal } = tools;
    journal.contents.set('storeAdvertSpace.idle', { sha256: 'ab'.repeat(32), document });
    journal.contents.set('storeAdvertSpace.boot', { sha256: 'cd'.repeat(32), document });
    expect(reportedSettings(journal)).toEqual({ 'storeAdvertSpace.idle': 'ab'.repeat(8), 'storeAdvertSpace.boot': 'cd'.repeat(8) });
    const reset = deploymentOf(
      { ...signedOffer('storeAdvertSpace', {}), package: undefined, settings: { section: 'storeAdvertSpace.idle', values: null } },
      tools,
    );
    expect(reset?.isThere()).toBe(false);
    reset?.keep({ ok: true }, {});
    expect(digestIn(journal, 'storeAdvertSpace.idle')).toBeUndefined();
    expect(reset?.isThere()).toBe(true);
    expect(Object.keys(reportedSettings(journal))).toEqual(['storeAdvertSpace.boot']);
  });
});

const playlist = (...items: object[]) => ({ ...document, values: { place: 'idle', items: items as never } });

test('a playlist is shown in proportion to the weights of its items, in an order that its log tells; without weights as they stand', () => {
  const first = { path: 'files/a.png', media: 'picture', seconds: 5 };
  expect(shownWords('storeAdvertSpace.idle', playlist({ ...first, weight: 3 }, first))).toBe(
    'shows storeAdvertSpace.idle: Summer, in the order 1 1 2 1',
  );
  expect(shownWords('storeAdvertSpace.idle', playlist(first, first, first))).toBe(
    'shows storeAdvertSpace.idle: Summer, in the order 1 2 3',
  );
  expect(shownWords('storeAdvertSpace.idle', playlist({ ...first, weight: 'often' }, first))).toMatch(/order 1 2$/);
  expect(shownWords('storeAdvertSpace.idle', playlist({ ...first, weight: 99 }, first))).toMatch(/( 1){40} … \(100\)$/);
  expect(shownWords('customizeDesktop', { ...document, values: {} })).toBe('shows customizeDesktop: Summer');
});

test('a terminal from before there were weights reads an archive with them: it keeps what it doesn’t know and shows the rest', () => {
  const weighed = playlist({ path: 'files/a.png', media: 'picture', seconds: 5, weight: 9 });
  expect(documentIn(archive('content.json', JSON.stringify({ ...weighed, later: 1 })))).toEqual(weighed);
});

test('a terminal shows what a desktop is drawn up for its screen, and one from before, or with a screen that nobody knows, the main one', () => {
  const sheet = (width: number, height: number) => ({ width, height, columns: 4, rows: 4, pages: [{ tiles: [] }], dock: [] });
  const desktop = { ...document, kind: 'customizeDesktop', values: { ...sheet(720, 1280), sizes: [sheet(1280, 800), sheet(320, 240)] } };
  const words = (screen?: { width: number; height: number }) => shownWords('customizeDesktop', desktop, screen);
  expect(words({ width: 1280, height: 800 })).toBe('shows customizeDesktop: Summer, as drawn up for 1280 × 800');
  expect(words({ width: 640, height: 480 })).toBe('shows customizeDesktop: Summer, as drawn up for 320 × 240');
  expect(words()).toBe('shows customizeDesktop: Summer, as drawn up for 720 × 1280');
  expect(documentIn(archive('content.json', JSON.stringify(desktop)))).toEqual(desktop);
  const odd = { ...desktop, values: { ...sheet(720, 1280), sizes: [null, 7, 'x', { width: '9' }, { width: -1, height: 1 }] as never } };
  expect(shownWords('customizeDesktop', odd, { width: 320, height: 240 })).toMatch(/720 × 1280$/);
  expect(shownWords('customizeDesktop', { ...desktop, values: sheet(720, 1280) }, { width: 320, height: 240 })).toBe(
    'shows customizeDesktop: Summer',
  );
});

test.each([
  ['of its model', {}, { width: 720, height: 1280 }],
  ['of its own', { screen: { width: 320, height: 240 } }, { width: 320, height: 240 }],
  ['of a model that nobody knows', { product: 'X1' }, undefined],
])('a virtual terminal has the screen %s, also after a restart', async (_name, more, screen) => {
  for (let start = 0; start < 2; start += 1)
    await withTerminalFor('SN000001', async ({ body }) => expect(body.facts().screen).toEqual(screen), undefined, more);
});
