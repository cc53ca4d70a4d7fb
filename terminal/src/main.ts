import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access, Enrolled } from '@mooring/contract/device/http-messages';
import { makeAgent } from './agent.ts';
import { agentCommand } from './agent-command.mjs';
import { commandLine } from './command-line.mjs';
import { type DeviceKeys, makeDeviceKeys, readDeviceKeys } from './device-keys.ts';
import { enrol, freshToken, renew, spareOf } from './enrolment.ts';
import { fileJournal } from './journal.ts';
import { linuxBody } from './linux-body.ts';
import { screensIn } from './screens.ts';
import { serverClock } from './server-clock.ts';
import { trustSystem } from './trust.ts';

const { values } = commandLine('node terminal/src/main.ts', agentCommand, process.argv.slice(2));
const { server = '', sn = '', product = '', data = '', firmware = '', installer = '' } = values;

trustSystem(values.ca);
const print = (word: string, detail?: unknown) =>
  process.stdout.write(`${new Date().toISOString()} ${word} ${detail === undefined ? '' : JSON.stringify(detail)}\n`);
mkdirSync(data, { recursive: true, mode: 0o700 });
const keyFile = join(data, 'device.key');
const identityFile = join(data, 'identity.json');

function loadKeys(): DeviceKeys {
  if (existsSync(keyFile)) return readDeviceKeys(readFileSync(keyFile, 'utf8'));
  const made = makeDeviceKeys();
  writeFileSync(keyFile, made.privatePem, { mode: 0o600, flag: 'wx', flush: true });
  return made;
}
const keys = loadKeys();
const factory =
  values['factory-cert'] && values['factory-key']
    ? { chain: readFileSync(values['factory-cert'], 'utf8'), privatePem: readFileSync(values['factory-key'], 'utf8') }
    : undefined;
const keep = (enrolled: Enrolled): Enrolled => {
  writeFileSync(identityFile, JSON.stringify(enrolled), { mode: 0o600, flush: true });
  return enrolled;
};

async function identity(): Promise<Enrolled> {
  if (existsSync(identityFile)) return JSON.parse(readFileSync(identityFile, 'utf8')) as Enrolled;
  for (;;) {
    const answer = await enrol({
      server,
      sn,
      keys,
      product,
      ...(values.code ? { code: values.code } : {}),
      ...(factory ? { factory } : {}),
    }).catch((error: unknown) => ({ state: 'refused' as const, error: String(error), status: 0 }));
    if (answer.state === 'enrolled') return keep(answer.enrolled);
    print(answer.state, answer);
    await new Promise((resolve) => setTimeout(resolve, 30_000));
  }
}

let enrolled = await identity();
let access: Access = enrolled;
const clock = serverClock();
const agent = makeAgent({
  body: linuxBody({
    sn,
    product,
    dataDir: data,
    installer: installer,
    image: values.image,
    notifier: values.notifier,
    asker: values.asker,
    screen: values.screen ? screensIn(values.screen)[0] : undefined,
    logFile: values.log,
  }),
  journal: fileJournal(join(data, 'journal.json'), firmware),
  random: Math.random,
  server,
  releaseRoot: enrolled.releaseRoot,
  heartbeatSeconds: enrolled.heartbeatSeconds,
  clock,
  ca: server.startsWith('https:') ? enrolled.root : undefined,
  async credentials() {
    if (Date.parse(enrolled.renewAt) <= clock.now().getTime()) {
      const answer = await renew({ server, sn, keys }, clock);
      if (answer.state === 'enrolled') enrolled = keep(answer.enrolled);
      else print('renewal', answer);
    }
    if (enrolled.mqtt.tls)
      return {
        url: enrolled.mqtt.tls,
        certificate: enrolled.certificate,
        key: keys.privatePem,
        ca: enrolled.root,
        freshInMs: Date.parse(enrolled.renewAt) - clock.now().getTime(),
      };
    if (spareOf(access, clock) < 0) {
      const fresh = await freshToken({ server, sn, keys }, clock);
      if ('error' in fresh) throw new Error(fresh.error);
      access = fresh;
    }
    return { url: enrolled.mqtt.plain ?? '', token: access.token, freshInMs: spareOf(access, clock) };
  },
  log: print,
});
agent.start();
const stop = async () => {
  await agent.stop();
  process.exit(0);
};
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
