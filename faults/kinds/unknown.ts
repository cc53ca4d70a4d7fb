import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceCalls } from '@mooring/contract/device/calls';
import { waitFor } from '../../e2e/stack.ts';
import { type KeptProcess, keepProcess } from '../world/kept-process.ts';
import type { Flood, Flooded, Ports } from '../world/unknown-devices-child.ts';
import type { World } from '../world/world.ts';
import type { Kind } from './kind.ts';

const child = (name: string) => join(import.meta.dirname, '..', 'world', name);
/** Of a core, which they may cost a listener that only shakes hands. */
const SHARE = 0.5;
const MOST_PER_SECOND = 2000;
const TRIAL = 600;
const PHASES = 4;
const MOST_MB = 256;
const MOST_RATIO = 2;
/** Below it nobody feels a difference, and the machine's own noise decides. */
const LEAST_MS = 10;
const PAUSE_MS = 40;

interface Seen {
  readonly person: number[];
  readonly terminal: number[];
}
const p95 = (of: readonly number[]) => [...of].sort((a, b) => a - b)[Math.max(0, Math.ceil(of.length * 0.95) - 1)] ?? Number.NaN;

/** Calls of a signed-in person and messages of terminals, one after the other, until it ends. */
function watch(world: World) {
  const seen: Seen = { person: [], terminal: [] };
  let isOver = false;
  const again = async (into: number[], ask: () => Promise<number | undefined>) => {
    while (!isOver) {
      const ms = await ask();
      if (ms !== undefined) into.push(ms);
      await sleep(PAUSE_MS);
    }
  };
  const all = Promise.all([
    again(seen.person, async () => {
      const began = performance.now();
      const answer = await world.console.call(deviceCalls.page, { criteria: {}, page: { size: 20 } });
      return answer.ok ? performance.now() - began : undefined;
    }),
    again(seen.terminal, () => world.fleets.answerMs()),
  ]);
  return async () => {
    isOver = true;
    await all;
    return seen;
  };
}

const residentMb = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The most that a process holds from now on. */
function mostMemory(pid: number) {
  let most = residentMb(pid);
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 100);
  return () => {
    clearInterval(timer);
    return most;
  };
}

function unknownDevicesOf(process: KeptProcess) {
  let next = 0;
  const told = new Map<number, Flooded>();
  process.onMessage((message: Partial<Flooded>) => {
    if (message.flooded !== undefined) told.set(message.flooded, message as Flooded);
  });
  return async (to: Flood['to'], count: number, perSecond: number): Promise<Flooded> => {
    next += 1;
    const mine = next;
    process.send({ flood: mine, to, count, perSecond } satisfies Flood);
    return waitFor(() => told.get(mine), 'the strangers', 30 + count / perSecond);
  };
}

async function listenerOf(process: KeptProcess) {
  const used = new Map<number, number>();
  let port = 0;
  let asked = 0;
  process.onMessage((message: { port?: number; usage?: number; cpuMs?: number }) => {
    port = message.port ?? port;
    if (message.usage !== undefined && message.cpuMs !== undefined) used.set(message.usage, message.cpuMs);
  });
  await process.start();
  return {
    port: await waitFor(() => port, 'the bare listener', 10),
    async cpuMs() {
      asked += 1;
      const mine = asked;
      process.send({ usage: mine });
      return waitFor(() => used.get(mine), 'what the bare listener cost', 10);
    },
  };
}

/**
 * Strangers at a rate that costs a listener which only shakes hands half a core: half-open, silent, slow, junk, announcing more than is ever
 * taken. They come by turns to such a listener and to the server, while people call and terminals speak.
 */
export const unknown: Kind = {
  name: '10,000 unknown connections',
  isAlone: true,
  isOnly: true,
  isPossible: (world) => world.broker === undefined,
  async strike({ world, broken, print, unknownDevices: count, isJudged }) {
    const [server] = world.servers;
    const pid = server?.process.pid();
    if (!server || pid === undefined) return;
    const bareProcess = keepProcess({ name: 'the bare listener', argv: [child('bare-tls-child.ts')], ready: '(tells)' });
    const unknownDevicesProcess = keepProcess({ name: 'the strangers', argv: [child('unknown-devices-child.ts')], ready: '(tells)' });
    const come = unknownDevicesOf(unknownDevicesProcess);
    try {
      const bare = await listenerOf(bareProcess);
      await unknownDevicesProcess.start();
      const at = (port: number): Ports => ({ http: port, mqtt: port, mqttTls: port });
      const cost = async (unknownDevices: number, perSecond: number) => {
        const before = await bare.cpuMs();
        const came = await come(at(bare.port), unknownDevices, perSecond);
        return { ms: (await bare.cpuMs()) - before, seconds: came.seconds };
      };
      // The first ones pay for the compiler.
      await cost(TRIAL, TRIAL);
      const trial = await cost(TRIAL, TRIAL);
      const perSecond = Math.min(MOST_PER_SECOND, Math.floor((SHARE * 1000 * TRIAL) / trial.ms));
      const each = Math.ceil(count / PHASES);
      const ports: Ports = { ...server.ports, http: Number(new URL(server.url).port) };
      const beside: Seen = { person: [], terminal: [] };
      const under: Seen = { person: [], terminal: [] };
      let [bareMs, bareSeconds, underSeconds, refused] = [0, 0, 0, 0];
      const before = residentMb(pid);
      const memory = mostMemory(pid);
      for (let phase = 0; phase < PHASES; phase += 1) {
        for (const [to, seen] of [
          [at(bare.port), beside],
          [ports, under],
        ] as const) {
          const cpu = await bare.cpuMs();
          const end = watch(world);
          // What the machine brings at the listener, it brings at the server.
          const came = await come(to, each, to === ports ? (each * (phase + 1)) / bareSeconds : perSecond);
          const { person, terminal } = await end();
          seen.person.push(...person);
          seen.terminal.push(...terminal);
          if (to === ports) {
            underSeconds += came.seconds;
            refused += came.refused;
          } else {
            const after = await bare.cpuMs();
            bareMs += after - cpu;
            bareSeconds += came.seconds;
          }
          unknownDevicesProcess.send({ leave: true });
        }
      }
      const most = memory();
      const rows = (['person', 'terminal'] as const).map((who) => ({
        who,
        is: p95(under[who]),
        was: p95(beside[who]),
        n: under[who].length,
      }));
      print(
        `  ${each * PHASES} strangers, ${((each * PHASES) / underSeconds).toFixed(0)}/s (${refused} turned away at once); the bare listener at ${((each * PHASES) / bareSeconds).toFixed(0)}/s: ${(bareMs / bareSeconds / 10).toFixed(0)} % of a core`,
      );
      for (const { who, is, was, n } of rows)
        print(`  ${who}: p95 ${is.toFixed(1)} ms, beside the bare listener ${was.toFixed(1)} ms: ${(is / was).toFixed(2)}× (${n} answers)`);
      print(`  memory: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
      if (most - before > MOST_MB) broken(`the server took ${(most - before).toFixed(0)} MB more for strangers`);
      if (!isJudged) return;
      for (const { who, is, was } of rows)
        if (!(is <= Math.max(LEAST_MS, MOST_RATIO * was)))
          broken(`p95 of a ${who} is ${is.toFixed(1)} ms, ${(is / was).toFixed(2)}× of ${was.toFixed(1)} ms`);
    } finally {
      await Promise.all([unknownDevicesProcess.stop(), bareProcess.stop()]);
    }
  },
};
