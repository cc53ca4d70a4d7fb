import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { whenClosed } from './when-closed.ts';

test('what ends with an answer ends too where its client left before anybody listened', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const ends: string[] = [];
  whenClosed(response, () => ends.push('heard'));
  client.destroy();
  await once(response, 'close');
  whenClosed(response, () => ends.push('late'));
  expect(ends).toEqual(['heard', 'late']);
  server.close();
});
