import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { claimSeed } from './claim-seed.ts';
import { commandLine } from './command-line.mjs';
import { fleetCommand } from './fleet-command.mjs';
import { obeyLine } from './on-the-spot.ts';
import { screensIn } from './screens.ts';
import { startFleet } from './start-fleet.ts';
import { trustSystem } from './trust.ts';

const { values, on } = commandLine('npm run fleet --', fleetCommand, process.argv.slice(2));
trustSystem(values.ca);
const sns = values.sn
  ?.split(',')
  .map((one) => one.trim())
  .filter(Boolean);
const count = sns?.length ?? Number(values.count);
const folder = values.state ? dirname(values.state) : join('data', 'fleet');
const claimed = claimSeed(folder, values.seed);
if (!claimed) {
  process.stderr.write('These terminals run already. Start others with another --seed, or end that fleet first.\n');
  process.exit(1);
}
const { seed } = claimed;
process.once('exit', () => claimed.release());
const stateFile = values.state === '' ? undefined : (values.state ?? join(folder, `${seed}.json`));
const print = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`);
if (values.seed === undefined && seed !== '1') print(`Another fleet runs here: these are other terminals (--seed ${seed}).`);
/** What a person does about a refusal that asking again doesn't change. */
const remedies: Readonly<Record<string, string>> = {
  PRODUCT_UNKNOWN: `No published product has the code ${JSON.stringify(values.product)} here. Look it up under Products on the Customer platform, and pass it as --product.`,
  CODE_WRONG:
    'The enrolment code is wrong, expired or used up. Create one under Enrolment on the Operations platform, and pass it as --code.',
  CODE_NOT_FOR_DEVICE: 'The enrolment code is for another serial number. Pass that as --sn, or create a code for any.',
  ENROLMENT_REFUSED: 'These terminals were refused under Enrolment. Start others with another --seed.',
  ALREADY_ENROLLED: 'These serial numbers are enrolled already, with other keys. Start others with another --seed.',
};
const fleet = startFleet({
  server: values.server ?? '',
  count,
  seed,
  code: values.code ?? process.env.ENROL_CODE,
  product: values.product ?? '',
  screens: values.screen ? screensIn(values.screen) : undefined,
  firmware: values.firmware ?? '',
  firmwareFile: values['firmware-file'],
  signersFile: values.signers,
  flaky: Number(values.flaky),
  stateFile,
  ...(sns ? { sns } : {}),
  over: values.over === 'tls' || values.over === 'token' ? values.over : undefined,
  heartbeatSeconds: values.heartbeat ? Number(values.heartbeat) : undefined,
  speed: values.speed ? Number(values.speed) : undefined,
  onFinal: (error, enrolled) => {
    const words = remedies[error] ?? error;
    process.stderr.write(`${enrolled > 0 ? `${enrolled} of ${count} terminals are enrolled, no more: ` : ''}${words}\n`);
    if (enrolled > 0) return;
    process.exitCode = 1;
    void stop();
  },
  ...(on.has('quiet')
    ? {}
    : {
        log: (sn: string, word: string, detail?: unknown) => print(`${sn} ${word} ${detail === undefined ? '' : JSON.stringify(detail)}`),
      }),
});
// What somebody does at a terminal: typed here, a line each.
const typed = on.has('spot') ? createInterface({ input: process.stdin }) : undefined;
typed?.on('line', (line) => print(obeyLine(fleet.terminals, line)));
let shown = -1;
const counting = setInterval(() => {
  const now = fleet.online();
  if (now !== shown) print(`${now} of ${count} terminals in contact`);
  shown = now;
}, 1000);
async function stop() {
  typed?.close();
  clearInterval(counting);
  await fleet.stop();
  process.exit();
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
// Started by a server that is gone, however it went.
process.once('disconnect', () => void stop());
