import { freePort } from '@mooring/server/platform/free-port';
import { type BenchApp, startApp } from '../app.ts';
import type { AedesOrder } from '../fleet/aedes-process.ts';
import { startCertifiedMosquitto, startMosquitto } from '../fleet/brokers.ts';
import { type FleetOptions, startChild, startTerminals } from '../fleet/fleet.ts';
import { FLEET, type FleetEstate, openFleetEstate } from '../fleet/fleet-estate.ts';
import { settled, settling } from '../fleet/memory.ts';
import { atMost, below, type Figure, missing, type Row } from '../row.ts';

const WARM_UP = 500;
/** `BENCH_SHORT=1` is for trying. */
const COUNT = process.env.BENCH_SHORT ? 3000 : FLEET;

interface Measured {
  readonly pid: number;
  readonly isNode: boolean;
}
/** Kilobytes a terminal of each process: with all of them idle, less with none. The first few hundred only warm it up. */
async function grown(processes: readonly Measured[], way: FleetOptions): Promise<number[]> {
  const all = () => Promise.all(processes.map((one) => settled(one.pid, one.isNode)));
  await (await startTerminals({ ...way, terminals: way.terminals.slice(0, WARM_UP) })).stop();
  const before = await all();
  const fleet = await startTerminals({ ...way, terminals: way.terminals.slice(0, COUNT) });
  try {
    const after = await all();
    const { connected, lost } = await fleet.counts();
    if (connected !== COUNT || lost > 0) throw new Error(`${connected} of ${COUNT} connected, ${lost} lost`);
    return after.map((kilobytes, n) => (kilobytes - (before[n] ?? 0)) / COUNT);
  } finally {
    await fleet.stop();
  }
}

type Certified = Awaited<ReturnType<FleetEstate['certified']>>;

async function ours(estate: FleetEstate, certified?: Certified): Promise<number> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const app = await startApp({ DATABASE_URL: estate.url, MQTT_PORT: String(port), MQTT_TLS_PORT: String(tlsPort), ...settling });
  try {
    const way = certified ? { port: tlsPort, ...certified } : { port, terminals: estate.plain() };
    return (await grown([{ pid: app.pid, isNode: true }], way))[0] ?? Number.NaN;
  } finally {
    await app.stop();
  }
}

/** Nobody there answers a hello, so none is said. */
async function bareAedes(estate: FleetEstate, certified?: Certified): Promise<number> {
  const aedes = startChild<AedesOrder>('aedes-process.ts', { env: settling });
  try {
    const tls = certified && { ...(await estate.brokerCertificate()), ca: certified.tls.ca };
    const port = await aedes.tell<number>({ do: 'listen', ...(tls ? { tls } : {}) });
    return (
      (await grown([{ pid: aedes.pid, isNode: true }], { port, hello: false, ...(certified ?? { terminals: estate.plain() }) }))[0] ??
      Number.NaN
    );
  } finally {
    await aedes.stop();
  }
}

interface Outside {
  readonly bare: number;
  readonly broker: number;
  readonly server: number;
}
/** Mosquitto alone, and with the server behind it. */
async function outside(estate: FleetEstate, certified?: Certified): Promise<Outside | undefined> {
  const way = certified ?? { terminals: estate.plain() };
  const alone = certified ? await startCertifiedMosquitto(estate.url, true) : await startMosquitto();
  if (!alone) return undefined;
  let bare = Number.NaN;
  try {
    [bare = Number.NaN] = await grown([{ pid: alone.pid, isNode: false }], { port: alone.port, hello: false, ...way });
  } finally {
    await alone.stop();
  }
  const secure = certified ? await startCertifiedMosquitto(estate.url) : undefined;
  const broker = secure ?? (await startMosquitto());
  if (!broker) return undefined;
  const env = secure?.env ?? { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` };
  let app: BenchApp | undefined;
  try {
    app = await startApp({ DATABASE_URL: estate.url, ...env, ...settling });
    const processes = [
      { pid: broker.pid, isNode: false },
      { pid: app.pid, isNode: true },
    ];
    const [whole = Number.NaN, server = Number.NaN] = await grown(processes, { port: broker.port, ...way });
    return { bare, broker: whole, server };
  } finally {
    await app?.stop();
    await broker.stop();
  }
}

const outsideFigures = (how: string, found: Outside | undefined): Figure[] =>
  found
    ? [
        atMost(
          `${how}, Mosquitto outside: broker and server against bare Mosquitto`,
          found.broker + Math.max(0, found.server),
          found.bare,
          1.1,
          'KB',
        ),
        atMost(`${how}, Mosquitto outside: the broker alone against bare Mosquitto`, found.broker, found.bare, 1.1, 'KB'),
        below(`${how}, Mosquitto outside: growth of the server for each terminal`, found.server, 2, 'KB'),
      ]
    : [missing(`${how}, Mosquitto outside`, Number.NaN, 'KB', 'mosquitto')];

async function run(): Promise<readonly Figure[]> {
  const estate = await openFleetEstate();
  try {
    const certified = await estate.certified();
    return [
      atMost('plain: memory of a terminal against bare aedes', await ours(estate), await bareAedes(estate), 1.15, 'KB'),
      atMost('TLS: memory of a terminal against bare aedes', await ours(estate, certified), await bareAedes(estate, certified), 1.15, 'KB'),
      ...outsideFigures('plain', await outside(estate)),
      ...outsideFigures('TLS', await outside(estate, certified)),
    ];
  } finally {
    await estate.stop();
  }
}

export const p4: Row = { id: 'P4', work: '15,000 idle terminals on one gateway process, embedded and with Mosquitto outside', run };
