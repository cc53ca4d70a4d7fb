import { expect, test } from 'vitest';
import { bypassed, bypassedOutbound } from './one-way-in.ts';
import { sourceFiles } from './source-files.ts';

test('what is dangerous goes through its one door', () => {
  expect(bypassed(sourceFiles())).toEqual([]);
});

test.each([
  ['server/src/modules/a/a.ts', "import { Parser } from 'htmlparser2';"],
  ['server/src/modules/a/a.ts', "const { fromBuffer } = await import('yauzl');"],
  ['server/src/modules/a/a.ts', "const { default: sharp } = await import('sharp');"],
  ['server/src/modules/a/a.ts', "import { parseXlsx } from '../../platform/work/parse-xlsx.ts';"],
  ['server/src/modules/a/a.ts', `const { parseXlsx } = await ${'import'}('../../platform/work/parse-xlsx.ts');`],
])('%s: %s is seen', (path, text) => {
  expect(bypassed([{ path, text }])).toHaveLength(1);
});

test('types, tests and the doors themselves are free', () => {
  expect(
    bypassed([
      { path: 'server/src/modules/a/a.ts', text: "import type { SheetLimits } from '../../platform/work/parse-xlsx.ts';" },
      { path: 'server/src/modules/a/a.test.ts', text: "import sharp from 'sharp';" },
      { path: 'server/src/platform/work/xlsx.thread.ts', text: "import { parseXlsx } from './parse-xlsx.ts';" },
    ]),
  ).toEqual([]);
});

test('connections to addresses that people enter go through the one outbound door', () => {
  expect(bypassedOutbound(sourceFiles())).toEqual([]);
});

test.each([
  "const answer = await fetch(url, { method: 'POST' });",
  'globalThis.fetch(url)',
  "import { connect } from 'node:net';",
  "import { type Socket, connect as open } from 'node:tls';",
  "import { request as send } from 'node:https';",
  "import net from 'node:net';",
  "import * as http from 'node:http';",
  "import { createSocket } from 'node:dgram';",
  'new WebSocket(address)',
])('%s is seen', (text) => {
  expect(bypassedOutbound([{ path: 'server/src/modules/a/a.ts', text }])).toHaveLength(1);
});

test.each([
  "import type { Socket } from 'node:net';",
  "import { createServer, type Socket } from 'node:net';",
  "import { isIP } from 'node:net';",
  "import type { IncomingMessage } from 'node:http';",
  '/** A fetch(url) would. */',
  'api.fetch(url)',
])('%s is not', (text) => {
  expect(bypassedOutbound([{ path: 'server/src/modules/a/a.ts', text }])).toEqual([]);
});
