import { tokenCalls } from '@mooring/contract/account/token-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { makeModules } from '../../modules/modules.ts';
import { freePort } from '../free-port.ts';
import { type LiveHub, startLiveHub } from '../live/live-hub.ts';
import { createHttpServer } from './http-server.ts';

let app: TestApp;
let person: Client;
let hub: LiveHub;
let http: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = await testApp();
  person = await app.person('platformAdmin', app.root);
  const { modules, authenticator, refs } = makeModules(app.context);
  hub = startLiveHub(app.context);
  http = await createHttpServer({ app: app.context, authenticator, refs, modules, hub, helloMs: 1000 });
  port = await freePort();
  await http.listen({ host: '127.0.0.1', port });
});
afterAll(async () => {
  await http.close();
  await hub.stop();
  await app.stop();
});

/** What comes first of a line that says hello: its word, or how it was closed. */
function firstOf(hello?: object) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ops/live`);
  if (hello) socket.onopen = () => socket.send(JSON.stringify(hello));
  const first = new Promise<unknown>((done) => {
    socket.onmessage = ({ data }) => done(JSON.parse(String(data)));
    socket.onclose = ({ code }) => done(code);
  });
  return { first, leave: () => socket.close() };
}
const helloOf = (token: string) => ({ token, platform: 'centre', deptId: '0', age: 0 });

test('a hello joins, and a token that is none is told so', async () => {
  const right = firstOf(helloOf(person.token));
  expect(await right.first).toEqual({ ready: true });
  right.leave();
  expect(await firstOf(helloOf('nobody')).first).toBe(4401);
});

test('a token of another system has no line, whatever it may read', async () => {
  const { token } = await person.call(tokenCalls.add, { name: 'ledger', scopes: ['device:device:page'], days: 1 });
  expect(await firstOf(helloOf(token)).first).toBe(4401);
});

test('who says nothing is closed', async () => {
  expect(await firstOf().first).toBe(4401);
});

test('a database that takes its time, or is away, ends no session: whoever said hello is joined when it answers', async () => {
  await asOwner(app.url, async (client) => {
    await client.query('begin');
    await client.query('lock table auth_session in access exclusive mode');
    const late = firstOf(helloOf(person.token));
    const asked = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await client.query(asked)).rowCount, { interval: 10 }).toBeGreaterThan(0);
    // Who came after it and said nothing is gone: its own time for that is over.
    await firstOf().first;
    await client.query('rollback');
    expect(await late.first).toEqual({ ready: true });
    late.leave();
  });
});

test('a line whose session ended is told nothing more: it is closed with the first touch, not a minute later', async () => {
  const one = await app.person('platformAdmin', app.root);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ops/live`);
  socket.onopen = () => socket.send(JSON.stringify(helloOf(one.token)));
  await new Promise((done) => {
    socket.onmessage = done;
  });
  const closed = new Promise<number>((done) => {
    socket.onclose = ({ code }) => done(code);
  });
  await one.call(signInCalls.logout);
  expect(await closed).toBe(4401);
});
