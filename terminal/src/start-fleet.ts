import { readFileSync } from 'node:fs';
import type { Measured } from '@mooring/contract/desktop/screen-fit';
import type { Access, Enrolled } from '@mooring/contract/device/http-messages';
import { type Agent, makeAgent } from './agent.ts';
import { type DeviceKeys, seededDeviceKeys } from './device-keys.ts';
import { enrol, freshToken, spareOf } from './enrolment.ts';
import { type Flaw, flawOf } from './flaws.ts';
import { fillJournal, type Journal, memoryJournal } from './journal.ts';
import { keepJournals } from './kept-journals.ts';
import { type OnTheSpot, onTheSpot } from './on-the-spot.ts';
import { seeded } from './random.ts';
import { type ServerClock, serverClock } from './server-clock.ts';
import { openShelf } from './shelf.ts';
import { type VirtualBody, virtualBody } from './virtual-body.ts';

export interface FleetOptions {
  readonly server: string;
  readonly count: number;
  readonly seed?: number | string;
  /** Code that lets `count` terminals in; without one they ask and wait. */
  readonly code?: string | undefined;
  readonly product?: string;
  /** SN of each terminal; `V<seed>-000001` and so on where left out. */
  readonly sns?: readonly string[];
  /** Screens of the terminals, in turn; that of their model where left out. */
  readonly screens?: readonly Measured[] | undefined;
  readonly firmware?: string;
  /** The bytes of that version, so that differences to it can be applied. */
  readonly firmwareFile?: string | undefined;
  /** Roots (PEM file) below which a detached signature of each app has to be; without it none is asked for. */
  readonly signersFile?: string | undefined;
  readonly flaky?: number;
  readonly failAttempts?: number;
  /** 'tls' connects with the certificate, 'token' plainly; by what the server offers where left out. */
  readonly over?: 'tls' | 'token' | undefined;
  readonly heartbeatSeconds?: number | undefined;
  readonly maxBackoffSeconds?: number | undefined;
  readonly installSeconds?: number;
  readonly bootSeconds?: number;
  readonly speed?: number | undefined;
  /** Where versions and journals survive a restart of the fleet. */
  readonly stateFile?: string | undefined;
  /** Terminals that enrol and connect at once. */
  readonly atOnce?: number;
  readonly log?: (sn: string, word: string, detail?: unknown) => void;
  /** Asking again changes nothing: told once, when no terminal is on its way in any more. Without it they ask on. */
  readonly onFinal?: ((error: string, enrolled: number) => void) | undefined;
}
export interface VirtualTerminal {
  readonly sn: string;
  readonly flaw: Flaw | undefined;
  readonly body: VirtualBody;
  readonly journal: Journal;
  readonly keys: DeviceKeys;
  /** What somebody does at it. */
  readonly spot: OnTheSpot;
  /** Set once it is enrolled. */
  agent(): Agent | undefined;
  enrolled(): Enrolled | undefined;
}
export interface Fleet {
  readonly terminals: readonly VirtualTerminal[];
  readonly online: () => number;
  /** Resolves when so many are in contact; rejects after the time. */
  whenOnline(count: number, seconds?: number): Promise<void>;
  stop(): Promise<void>;
}

/** The answer to every further try too: of the code, the product or the terminal that it was asked for. */
const final: readonly string[] = ['PRODUCT_UNKNOWN', 'CODE_WRONG', 'CODE_NOT_FOR_DEVICE', 'ENROLMENT_REFUSED', 'ALREADY_ENROLLED'];

/** A certificate, however long it takes: an absent or a busy server is asked again, after growing waits. */
async function enrolUntilDone(
  options: FleetOptions,
  sn: string,
  keys: DeviceKeys,
  product: string,
  stopped: () => boolean,
  onFinal: (error: string) => void,
): Promise<Enrolled | undefined> {
  for (let failures = 0; !stopped(); failures += 1) {
    const answer = await enrol({
      server: options.server,
      sn,
      keys,
      product,
      model: product,
      ...(options.code ? { code: options.code } : {}),
    }).catch((error: unknown) => ({ state: 'refused' as const, error: String(error), status: 0 }));
    if (answer.state === 'enrolled') return answer.enrolled;
    if (answer.state === 'refused' && options.onFinal && final.includes(answer.error)) {
      onFinal(answer.error);
      return undefined;
    }
    const seconds =
      answer.state === 'asking'
        ? Math.min(answer.seconds, options.maxBackoffSeconds ?? 30)
        : Math.min(options.maxBackoffSeconds ?? 60, 2 ** Math.min(failures, 6));
    options.log?.(sn, answer.state, { ...answer, againInSeconds: seconds });
    for (let waited = 0; waited < seconds && !stopped(); waited += 0.25) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return undefined;
}

function connectBy(options: FleetOptions, sn: string, keys: DeviceKeys, enrolled: Enrolled, clock: ServerClock) {
  let access: Access = enrolled;
  clock.observe(enrolled.time);
  const secure = options.over === 'tls' || (options.over === undefined && enrolled.mqtt.plain === null);
  return {
    refused: () => {
      access = { ...access, tokenExpiresAt: new Date(0).toISOString() };
    },
    async credentials() {
      if (secure) return { url: enrolled.mqtt.tls ?? '', certificate: enrolled.certificate, key: keys.privatePem, ca: enrolled.root };
      if (spareOf(access, clock) < 0) {
        const fresh = await freshToken({ server: options.server, sn, keys }, clock);
        if ('error' in fresh) throw new Error(fresh.error);
        access = fresh;
      }
      return { url: enrolled.mqtt.plain ?? '', token: access.token, freshInMs: spareOf(access, clock) };
    },
  };
}

/** Terminals in one process, each a true client with its own key. The same seed makes the same terminals. */
export function startFleet(options: FleetOptions): Fleet {
  const seed = String(options.seed ?? 1);
  const product = options.product ?? 'A920';
  const kept = keepJournals(options.stateFile);
  const shelf = openShelf(options.stateFile && `${options.stateFile}.shelf`);
  const first = options.firmwareFile ? shelf.take(options.firmwareFile) : undefined;
  const signers = options.signersFile ? readFileSync(options.signersFile, 'utf8') : undefined;
  let stopped = false;
  const agents: (Agent | undefined)[] = [];

  const begins: (() => Promise<void>)[] = [];
  const queue: (() => Promise<void>)[] = [];
  let refusedFor: string | undefined;

  const terminals = Array.from({ length: options.count }, (_, index): VirtualTerminal => {
    const sn =
      options.sns?.[index] ??
      `V${seed
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, '')
        .slice(0, 12)}-${String(index + 1).padStart(6, '0')}`;
    const random = seeded(`${seed}:${sn}`);
    const flaw = flawOf(index, options.flaky ?? 0);
    const journal: Journal = memoryJournal(options.firmware ?? '1.0.0', () => kept.note(sn, journal));
    journal.firmwareSha256 = first;
    const stored = kept.of(sn);
    if (stored) fillJournal(journal, stored);
    const body = virtualBody({
      sn,
      product,
      screen: options.screens?.[index % options.screens.length],
      random,
      flaw,
      failAttempts: options.failAttempts ?? 1,
      installSeconds: options.installSeconds ?? 3,
      bootSeconds: options.bootSeconds ?? 2,
      speed: options.speed,
      shelf,
      signers,
      settings: journal.settings,
      properties: journal.properties,
      event: (name, level, params) => agents[index]?.event(name, level, params),
      tell: (values) => agents[index]?.property(values),
    });
    const keys = seededDeviceKeys(`${seed}:${sn}`);
    let enrolled: Enrolled | undefined;
    begins.push(async () => {
      enrolled = await enrolUntilDone(
        options,
        sn,
        keys,
        product,
        () => stopped,
        (error) => {
          refusedFor ??= error;
          // Those behind it would be told the same.
          queue.length = 0;
        },
      );
      if (!enrolled || stopped) return;
      const clock = serverClock();
      const { credentials, refused } = connectBy(options, sn, keys, enrolled, clock);
      const agent = makeAgent({
        body,
        journal,
        random,
        server: options.server,
        releaseRoot: enrolled.releaseRoot,
        heartbeatSeconds: options.heartbeatSeconds ?? enrolled.heartbeatSeconds,
        maxBackoffSeconds: options.maxBackoffSeconds,
        clock,
        credentials,
        onRefused: refused,
        ca: options.server.startsWith('https:') ? enrolled.root : undefined,
        log: (word, detail) => options.log?.(sn, word, detail),
      });
      agents[index] = agent;
      agent.start();
      if (flaw === 'tamper') agent.event('tamper', 'alarm', { sensor: 'case' });
      if (flaw === 'geofence') agent.event('geofence', 'warning', { metres: 55_000 });
    });
    const spot = onTheSpot(journal, () => agents[index]?.changed());
    return { sn, flaw, body, journal, keys, spot, agent: () => agents[index], enrolled: () => enrolled };
  });

  queue.push(...begins);
  const starter = async () => {
    for (let next = queue.shift(); next && !stopped; next = queue.shift()) await next();
  };
  const starting = Promise.all(Array.from({ length: Math.min(options.atOnce ?? 8, options.count) }, starter));
  void starting.then(() => {
    if (refusedFor !== undefined && !stopped) options.onFinal?.(refusedFor, terminals.filter((one) => one.enrolled()).length);
  });
  const drops = setInterval(() => {
    for (const [index, terminal] of terminals.entries()) if (terminal.flaw === 'drops' && Math.random() < 0.05) agents[index]?.cut();
  }, 2000);
  const online = () => agents.filter((agent) => agent?.isUp()).length;

  return {
    terminals,
    online,
    async whenOnline(count, seconds = 60) {
      const until = performance.now() + seconds * 1000;
      while (online() < count) {
        if (performance.now() > until) throw new Error(`${online()} of ${count} terminals are in contact`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      stopped = true;
      clearInterval(drops);
      queue.length = 0;
      await starting;
      await Promise.all(agents.map((agent) => agent?.stop()));
      kept.close();
      shelf.close();
    },
  };
}
