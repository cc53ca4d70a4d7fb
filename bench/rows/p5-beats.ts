import { readFileSync } from 'node:fs';
import { freePort } from '@mooring/server/platform/free-port';
import { askCall, startApp } from '../app.ts';
import type { IntakeOrder } from '../fleet/bare-intake-process.ts';
import { beatWriter } from '../fleet/beat-writer.ts';
import { startMosquitto } from '../fleet/brokers.ts';
import { type Fleet, startChild, startTerminals } from '../fleet/fleet.ts';
import { FLEET, type FleetEstate, openFleetEstate } from '../fleet/fleet-estate.ts';
import { mqttHub } from '../fleet/hub.ts';
import { pss } from '../fleet/memory.ts';
import { median, quantile } from '../measure.ts';
import { atMost, below, type Figure, missing, type Row, reported } from '../row.ts';

const RATE = 10_000;
/** Ten minutes count; `BENCH_SHORT=1` is for trying. */
const SECONDS = process.env.BENCH_SHORT ? 60 : 600;
const QUIET_SECONDS = 15;
const BURST = 40_000;
const BURST_SECONDS = 5;
const DRAIN_SECONDS = 120;
/** Devices whose rows are watched, and how often. */
const WATCHED = 150;
const WATCH_MS = 200;
const BATCH = 2000;
/** How many rows the server writes at once. */
const PAGE_BATCH = 100;
const BARE_SECONDS = 30;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Again and again with a pause until something is over; what each took. */
async function during<T>(until: Promise<unknown>, everyMs: number, ask: () => Promise<T>): Promise<T[]> {
  let over = false;
  void until.finally(() => {
    over = true;
  });
  const found: T[] = [];
  while (!over) {
    found.push(await ask());
    await pause(everyMs);
  }
  await until;
  return found;
}
async function took(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * From the moment at which a terminal speaks until its row, or a newer one of it, is there for others: more than from receipt to commit.
 * A beat that a newer one overtook counts from its own moment.
 */
function watch(estate: FleetEstate, base: number, ids: readonly number[]) {
  const seen = new Map<number, number>();
  const waited: number[] = [];
  const period = (FLEET / RATE) * 1000;
  return {
    waited,
    async look() {
      const rows = await estate.query<{ id: number; uptime: string }>(
        'select device_id as id, uptime from device_presence where device_id = any($1::bigint[]) and uptime is not null',
        [ids],
      );
      const now = Date.now() - base;
      for (const row of rows) {
        const said = Number(row.uptime);
        const before = seen.get(row.id);
        seen.set(row.id, said);
        if (before === undefined || said <= before) continue;
        for (let moment = said; moment > before + period / 2; moment -= period) waited.push(now - moment);
      }
    },
  };
}

/** How many terminals' rows don't hold what they said last, and how long it took until none was left. */
async function drained(estate: FleetEstate, fleet: Fleet): Promise<{ lost: number; seconds: number }> {
  const newest = await fleet.newest();
  const started = performance.now();
  for (;;) {
    const rows = await estate.query<{ sn: string; uptime: string }>(
      'select d.sn, p.uptime from device d join device_presence p on p.device_id = d.id where d.sn <= $1',
      [[...newest.keys()].sort().at(-1) ?? ''],
    );
    const kept = new Map(rows.map((row) => [row.sn, Number(row.uptime)]));
    const lost = [...newest].filter(([sn, said]) => kept.get(sn) !== said).length;
    const seconds = (performance.now() - started) / 1000;
    if (lost === 0 || seconds > DRAIN_SECONDS) return { lost, seconds };
    await pause(250);
  }
}

/** Rows a second of the batch statement alone. */
async function statementAlone(estate: FleetEstate): Promise<number> {
  const writer = await beatWriter(estate.url, BATCH);
  const rates: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const seconds =
      (await took(async () => {
        for (let written = 0; written < writer.devices; written += BATCH) await writer.write();
      })) / 1000;
    if (round > 0) rates.push(writer.devices / seconds);
  }
  await writer.end();
  return median(rates);
}

/**
 * How long a page takes while the machine has the same work without us: the same terminals beat at the same rate into Mosquitto, one
 * process hears all of it and writes as many rows by the batch statement. What the page then waits for, it waits for two processors.
 */
async function besideBare(estate: FleetEstate, page: () => Promise<number>): Promise<number[] | undefined> {
  const broker = await startMosquitto();
  if (!broker) return undefined;
  const fleet = await startTerminals({ port: broker.port, terminals: estate.plain(), hello: false });
  const intake = startChild<IntakeOrder>('bare-intake-process.ts');
  try {
    const taken = intake.tell({ do: 'take', port: broker.port, url: estate.url, rate: RATE, batch: PAGE_BATCH, seconds: BARE_SECONDS });
    const [found] = await Promise.all([during(taken, 100, page), fleet.beats(RATE, BARE_SECONDS)]);
    return found;
  } finally {
    await intake.stop();
    await fleet.stop();
    await broker.stop();
  }
}

/** Messages a second that one subscriber of a bare Mosquitto hears. */
async function bareMosquitto(estate: FleetEstate): Promise<number | undefined> {
  const broker = await startMosquitto();
  if (!broker) return undefined;
  const fleet = await startTerminals({ port: broker.port, terminals: estate.plain(), hello: false });
  const hub = await mqttHub(broker.port, 'beat');
  try {
    const from = performance.now();
    await fleet.burst(200_000, BURST_SECONDS);
    let heard = hub.heard();
    for (let before = -1; before !== heard; heard = hub.heard()) {
      before = heard;
      await pause(500);
    }
    return heard / ((performance.now() - from) / 1000);
  } finally {
    hub.stop();
    await fleet.stop();
    await broker.stop();
  }
}

/** Seconds of a processor that a process has used. */
function cpuSeconds(pid: number): number {
  const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(words[11]) + Number(words[12])) / 100;
}

/** `prepare`: what else the server has to do with each beat. */
export async function measureBeats(prepare?: (url: string, estate: FleetEstate) => Promise<void>): Promise<readonly Figure[]> {
  const estate = await openFleetEstate(prepare !== undefined);
  const port = await freePort();
  const app = await startApp({ DATABASE_URL: estate.url, MQTT_PORT: String(port) });
  let fleet: Fleet | undefined;
  try {
    await prepare?.(app.url, estate);
    const token = await estate.session('orgManager', 100_777);
    const page = () => took(() => askCall(app.url, '/device/page', token, {}));
    fleet = await startTerminals({ port, terminals: estate.plain() });
    await during(pause(3000), 20, page);
    const quiet = await during(pause(QUIET_SECONDS * 1000), 100, page);
    const sample = await estate.query<{ id: string }>('select id from device where tags && $1 order by hashtext(sn) limit $2', [
      ['fleet'],
      WATCHED,
    ]);
    // What a run before left would be taken for beats of this one that nobody kept.
    await estate.query('update device_presence set uptime = null where device_id = any($1::bigint[])', [sample.map((row) => row.id)]);
    const rows = watch(
      estate,
      fleet.base,
      sample.map((row) => Number(row.id)),
    );
    const cpu = cpuSeconds(app.pid);
    const beating = fleet.beats(RATE, SECONDS);
    const [busy, , memory] = await Promise.all([
      during(beating, 100, page),
      during(beating, WATCH_MS, () => rows.look()),
      during(beating, 2000, async () => pss(app.pid)),
    ]);
    const { beats, lost } = await fleet.counts();
    const cores = (cpuSeconds(app.pid) - cpu) / SECONDS;
    await drained(estate, fleet);
    await fleet.burst(BURST, BURST_SECONDS);
    const burst = await drained(estate, fleet);
    await fleet.stop();
    const third = Math.ceil(memory.length / 3);
    const bare = await besideBare(estate, page);
    const mosquitto = await bareMosquitto(estate);
    const alone = await statementAlone(estate);
    return [
      {
        ...reported('beats a second said and kept', beats / SECONDS, '/s'),
        target: `≥ ${RATE} /s, nobody lost`,
        holds: beats / SECONDS >= RATE * 0.995 && lost === 0,
      },
      below('from saying to commit, p99', quantile(rows.waited, 0.99) / 1000, 5, 's'),
      atMost(
        'memory of the server in the last third against the second',
        median(memory.slice(-third)) / 1024,
        median(memory.slice(third, -third)) / 1024,
        1.1,
        'MB',
      ),
      atMost('p95 of a page of the console, against quiet', quantile(busy, 0.95), quantile(quiet, 0.95), 2, 'ms'),
      bare === undefined
        ? missing('the same beside Mosquitto and the batch statement alone, against quiet', Number.NaN, 'ms', 'mosquitto')
        : reported(
            'the same beside Mosquitto and the batch statement alone, against quiet',
            quantile(bare, 0.95),
            'ms',
            quantile(quiet, 0.95),
          ),
      below(`terminals whose newest value was lost in a burst of ${BURST} a second`, burst.lost, 0, ''),
      reported('seconds after the burst until all of it was kept', burst.seconds, 's'),
      reported('cores of the server meanwhile', cores, ''),
      mosquitto === undefined
        ? missing('against the throughput of bare Mosquitto with one subscriber', RATE, '/s', 'mosquitto')
        : reported('against the throughput of bare Mosquitto with one subscriber', RATE, '/s', mosquitto),
      reported('against the batch statement alone', RATE, '/s', alone),
    ];
  } finally {
    await fleet?.stop();
    await app.stop();
    await estate.query(`delete from state_change where life = 'device'`);
    await estate.stop();
  }
}

export const p5: Row = {
  id: 'P5',
  work: `${RATE} beats a second of 15,000 terminals for ${SECONDS} s, console in use; then a burst`,
  run: () => measureBeats(),
};
