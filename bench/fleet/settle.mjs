// Given to a measured process by --import: what nobody holds any more isn't part of what it takes, in none of its threads.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const settle = () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
const threads = new BroadcastChannel('settle');
threads.unref();
if (isMainThread)
  process.on('SIGUSR2', () => {
    threads.postMessage('settle');
    settle();
  });
else threads.onmessage = settle;
