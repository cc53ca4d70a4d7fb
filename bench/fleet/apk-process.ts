import { readFileSync } from 'node:fs';
import { signPackage, verifyPackage } from '@mooring/apk/api';
import { makeSigner } from '@mooring/apk/signer.factory';

/** One package verified or signed by a process that runs already, as the server does: how long it takes, and what memory it adds. */
const [, , kind = '', from = '', to = ''] = process.argv;
const signer = await makeSigner();
const act = async () => {
  if (kind === 'sign') await signPackage({ from, to, signer, minSdk: 21 });
  else if ((await verifyPackage(from)).wrong !== null) throw new Error('the signature is wrong');
};
const before = process.memoryUsage().rss;
await act();
const began = performance.now();
await act();
const took = performance.now() - began;
// The most that this program had: what `getrusage` says begins with its parent's.
const whole = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
process.stdout.write(JSON.stringify({ took, added: whole - before, whole }));
