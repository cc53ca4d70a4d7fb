import { join } from 'node:path';
import { commandLine } from './command-line.mjs';
import { fleetCommand } from './fleet-command.mjs';
import { startFleet } from './start-fleet.ts';
import { trustSystem } from './trust.ts';

const { values, on } = commandLine('npm run fleet --', fleetCommand, process.argv.slice(2));
trustSystem(values.ca);
const sns = values.sn
  ?.split(',')
  .map((one) => one.trim())
  .filter(Boolean);
const count = sns?.length ?? Number(values.count);
const stateFile = values.state === '' ? undefined : (values.state ?? join('data', 'fleet', `${values.seed}.json`));
const say = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const fleet = startFleet({
  server: values.server ?? '',
  count,
  seed: values.seed ?? '',
  code: values.code ?? process.env.ENROL_CODE,
  product: values.product ?? '',
  firmware: values.firmware ?? '',
  firmwareFile: values['firmware-file'],
  flaky: Number(values.flaky),
  stateFile,
  ...(sns ? { sns } : {}),
  over: values.over === 'tls' || values.over === 'token' ? values.over : undefined,
  heartbeatSeconds: values.heartbeat ? Number(values.heartbeat) : undefined,
  speed: values.speed ? Number(values.speed) : undefined,
  ...(on.has('quiet')
    ? {}
    : {
        log: (sn: string, word: string, detail?: unknown) => say(`${sn} ${word} ${detail === undefined ? '' : JSON.stringify(detail)}`),
      }),
});
let shown = -1;
const counting = setInterval(() => {
  const now = fleet.online();
  if (now !== shown) say(`${now} of ${count} terminals in contact`);
  shown = now;
}, 1000);
const stop = async () => {
  clearInterval(counting);
  await fleet.stop();
  process.exit(0);
};
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
// Started by a server that is gone, however it went.
process.once('disconnect', () => void stop());
