import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkOutside, connectOutside, hostOf, sendOutside } from './door.ts';
import { isPublic } from './special-addresses.ts';

const seen: { url: string | undefined; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part.toString();
  });
  request.on('end', () => {
    seen.push({ url: request.url, body });
    if (request.url === '/away') response.writeHead(302, { location: '/there' }).end();
    else response.end('x'.repeat(10_000));
  });
});
let port = 0;
beforeAll(
  () =>
    new Promise<void>((done) =>
      server.listen(0, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        done();
      }),
    ),
);
afterAll(() => new Promise((done) => server.close(done)));
const send = (url: string, allowed: readonly string[] = []) => sendOutside({ url, allowed, headers: {}, body: '{}', timeoutMs: 2000 });

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  // NAT64, IPv4-translated, IPv4-compatible, 6to4 and Teredo lead on to IPv4 addresses.
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '2002:7f00:1::1',
  '2001:0:7f00:1::1',
  // A site's, segment routing's, a documentation's, an anycast's.
  'fec0::1',
  '5f00::1',
  '2001:db8::1',
  '3fff::1',
  '2620:4f:8000::1',
  '192.88.99.1',
  '192.31.196.1',
  '240.0.0.1',
  '255.255.255.255',
  // What clouds tell their own machines.
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
])('%s is not public', (address) => expect(isPublic(address)).toBe(false));
test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('%s is public', (address) => expect(isPublic(address)).toBe(true));

test.each(['http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/', 'http://0x7f.1:PORT/', 'http://2130706433:PORT/'])(
  '%s is not reached, by number or by name',
  async (url) => {
    const before = seen.length;
    await expect(send(url.replace('PORT', String(port)))).rejects.toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC' });
    await expect(checkOutside(hostOf(url.replace('PORT', String(port))), [])).rejects.toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC' });
    expect(seen.length).toBe(before);
  },
);

test('an administrator’s list opens a network or a name; answers are kept short', async () => {
  expect((await send(`http://127.0.0.1:${port}/`, ['127.0.0.0/8'])).text).toHaveLength(4096);
  expect((await send(`http://localhost:${port}/`, ['localhost'])).status).toBe(200);
  await checkOutside('localhost', ['localhost']);
  await expect(connectOutside('localhost', port, [])).rejects.toMatchObject({ fault: 'ADDRESS_NOT_PUBLIC' });
  (await connectOutside('localhost', port, ['127.0.0.0/8', '::1'])).destroy();
});

test('a redirect is an answer like any other', async () => {
  const before = seen.length;
  expect((await send(`http://127.0.0.1:${port}/away`, ['127.0.0.1'])).status).toBe(302);
  expect(seen.length).toBe(before + 1);
});
