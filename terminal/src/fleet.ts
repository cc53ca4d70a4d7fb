import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startFleet } from './start-fleet.ts';
import { trustSystem } from './trust.ts';

const about = `Virtual terminals: true clients of the device protocol, in one process.

  --count N      how many (50)
  --server URL   the server (http://127.0.0.1:8080)
  --code CODE    enrolment code that lets N terminals in; without it they ask and wait
  --product P    product code (A920)
  --sn SN,SN     their serial numbers, in the place of --count
  --seed S       the same seed makes the same terminals (1)
  --firmware V   version at the first start (1.0.0)
  --firmware-file F  bytes of that version, so that differences to it apply
  --flaky N      so many have a flaw; every other of them fails its first attempt
  --over X       tls (certificate) or token (plain connection)
  --heartbeat S  seconds between heartbeats, in the place of the product's
  --speed B      bytes a second of an ordinary line
  --state FILE   keeps versions and journals over a restart ("" for nowhere)
  --quiet        prints only the counts
`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    server: { type: 'string', default: 'http://127.0.0.1:8080' },
    code: { type: 'string' },
    product: { type: 'string', default: 'A920' },
    sn: { type: 'string' },
    seed: { type: 'string', default: '1' },
    firmware: { type: 'string', default: '1.0.0' },
    'firmware-file': { type: 'string' },
    flaky: { type: 'string', default: '0' },
    over: { type: 'string' },
    heartbeat: { type: 'string' },
    speed: { type: 'string' },
    state: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(about);
} else {
  trustSystem();
  const sns = values.sn
    ?.split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const count = sns?.length ?? Number(values.count);
  const stateFile = values.state === '' ? undefined : (values.state ?? join('data', 'fleet', `${values.seed}.json`));
  const say = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`);
  const fleet = startFleet({
    server: values.server,
    count,
    seed: values.seed,
    code: values.code,
    product: values.product,
    firmware: values.firmware,
    firmwareFile: values['firmware-file'],
    flaky: Number(values.flaky),
    stateFile,
    ...(sns ? { sns } : {}),
    over: values.over === 'tls' || values.over === 'token' ? values.over : undefined,
    heartbeatSeconds: values.heartbeat ? Number(values.heartbeat) : undefined,
    speed: values.speed ? Number(values.speed) : undefined,
    ...(values.quiet
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
}
