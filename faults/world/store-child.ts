import { createServer, request } from 'node:http';
import { startObjectStore } from '../../server/test/object-store.ts';

// An object store in a process of its own, which may be stopped, and which is full when its parent says so.
const store = await startObjectStore();
const behind = new URL(store.place.endpoint);
let isFull = false;
const full = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSpaceLeft</Code><Message>no space left</Message></Error>';

const front = createServer((asked, answer) => {
  if (isFull && (asked.method === 'PUT' || asked.method === 'POST')) {
    asked.resume();
    return void answer.writeHead(507, { 'content-type': 'application/xml' }).end(full);
  }
  const { method, url, headers } = asked;
  const on = request({ host: behind.hostname, port: behind.port, method, path: url, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
    got.on('error', () => answer.destroy());
  });
  on.on('error', () => answer.destroy());
  asked.pipe(on);
  asked.on('error', () => on.destroy());
});
front.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.({ ready: true, env: store.env }));
process.on('message', (message: { full?: boolean }) => {
  if (message.full !== undefined) isFull = message.full;
});
process.once('SIGTERM', () => {
  front.closeAllConnections();
  front.close();
  void store.stop().then(() => process.exit(0));
});
