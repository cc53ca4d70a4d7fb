import { signPackage, verifyPackage } from '../../server/src/engines/apk/api.ts';
import { makeSigner } from '../../server/src/engines/apk/signer.factory.ts';

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
const whole = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ took, added: whole - before, whole }));
