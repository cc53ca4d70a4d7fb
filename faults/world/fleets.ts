import { join } from 'node:path';
import type { FleetOptions } from '@mooring/terminal/start-fleet';
import { waitFor } from '../../e2e/stack.ts';
import type { TerminalState } from './fleet-child.ts';
import { type KeptProcess, keepProcess } from './kept-process.ts';

export interface Fleets {
  readonly count: number;
  readonly processes: readonly KeptProcess[];
  readonly online: () => number;
  states(): Promise<readonly TerminalState[]>;
  /** Milliseconds until an event of a terminal was acknowledged, which is after its commit; undefined where none is in contact. */
  answerMs(): Promise<number | undefined>;
  stop(): Promise<void>;
}
interface Wanted {
  readonly count: number;
  readonly processes: number;
  readonly folder: string;
  readonly seed: string;
  readonly options: Omit<FleetOptions, 'count' | 'seed' | 'log'>;
}

const child = join(import.meta.dirname, 'fleet-child.ts');

/** Terminals in several processes: one of them may die, or have a wrong clock, while the others go on. */
export async function startFleets(wanted: Wanted): Promise<Fleets> {
  const each = Math.ceil(wanted.count / wanted.processes);
  const online = new Map<string, number>();
  const answers = new Map<number, (states: readonly TerminalState[]) => void>();
  let asked = 0;
  const heard = new Map<number, number | undefined>();
  const processes = Array.from({ length: wanted.processes }, (_, index) => {
    const options: FleetOptions = {
      ...wanted.options,
      count: Math.min(each, wanted.count - index * each),
      seed: `${wanted.seed}${index + 1}`,
      stateFile: join(wanted.folder, `fleet-${index + 1}.json`),
    };
    const kept = keepProcess({ name: `terminals ${index + 1}`, argv: [child, JSON.stringify(options)], ready: '(tells)' });
    kept.onMessage((message: { online?: number; answer?: number; states?: readonly TerminalState[]; heard?: number; ms?: number }) => {
      if (message.online !== undefined) online.set(kept.name, message.online);
      if (message.heard !== undefined) heard.set(message.heard, message.ms);
      if (message.answer !== undefined && message.states) answers.get(message.answer)?.(message.states);
    });
    return kept;
  });
  await Promise.all(processes.map((one) => one.start()));
  const ask = async (of: KeptProcess) => {
    asked += 1;
    const mine = asked;
    let states: readonly TerminalState[] | undefined;
    answers.set(mine, (found) => {
      states = found;
    });
    of.send({ ask: mine });
    const found = await waitFor(() => states, `the journals of ${of.name}`, 30);
    answers.delete(mine);
    return found;
  };
  return {
    count: wanted.count,
    processes,
    online: () => processes.reduce((sum, one) => sum + (one.isUp() ? (online.get(one.name) ?? 0) : 0), 0),
    states: async () => (await Promise.all(processes.map(ask))).flat(),
    async answerMs() {
      asked += 1;
      const mine = asked;
      processes[0]?.send({ speak: mine });
      await waitFor(() => heard.has(mine), 'the acknowledgement of an event', 60);
      return heard.get(mine);
    },
    stop: async () => void (await Promise.all(processes.map((one) => one.stop()))),
  };
}
