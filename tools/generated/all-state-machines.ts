import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '@mooring/contract/kit/state-machine';

const folder = join(import.meta.dirname, '..', '..', 'contract', 'src');

export interface DeclaredMachine {
  /** Of the contract: `device`, or `engines/rollout`. */
  readonly domain: string;
  readonly machine: Machine;
}

const isMachine = (value: unknown): value is Machine =>
  typeof value === 'object' && value !== null && 'byCode' in value && 'events' in value;

/** Every lifecycle that a `state-machines.ts` of the contract declares. */
export async function allMachines(): Promise<DeclaredMachine[]> {
  const found: DeclaredMachine[] = [];
  for (const file of globSync('**/state-machines.ts', { cwd: folder }).sort()) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>;
    const domain = file.replaceAll('\\', '/').replace(/\/state-machines\.ts$/, '');
    found.push(
      ...Object.values(exported)
        .filter(isMachine)
        .map((machine) => ({ domain, machine })),
    );
  }
  return found;
}
